/**
 * The names and types of the schemas as plain TypeScript, for programs that use the package.
 * Generated from the schemas by scripts/generate.mjs: edit those.
 */

/** An operation's id. */
export type OperationId =
  | 'uploadSignature'
  | 'updateSubOrganizationMember'
  | 'verifyDocument'
  | 'searchProtectedAttachments'
  | 'listCreditHistories'
  | 'addOrganizationMember'
  | 'createSigningLink'

/** An operation and a status that it declares. */
export type OutcomeId =
  | 'uploadSignature:200'
  | 'uploadSignature:401'
  | 'uploadSignature:422'
  | 'updateSubOrganizationMember:200'
  | 'updateSubOrganizationMember:400'
  | 'updateSubOrganizationMember:401'
  | 'updateSubOrganizationMember:403'
  | 'updateSubOrganizationMember:404'
  | 'updateSubOrganizationMember:500'
  | 'verifyDocument:200'
  | 'verifyDocument:400'
  | 'verifyDocument:401'
  | 'verifyDocument:404'
  | 'verifyDocument:422'
  | 'searchProtectedAttachments:200'
  | 'searchProtectedAttachments:400'
  | 'searchProtectedAttachments:401'
  | 'searchProtectedAttachments:404'
  | 'searchProtectedAttachments:500'
  | 'listCreditHistories:200'
  | 'listCreditHistories:400'
  | 'listCreditHistories:401'
  | 'addOrganizationMember:200'
  | 'addOrganizationMember:400'
  | 'addOrganizationMember:401'
  | 'addOrganizationMember:409'
  | 'addOrganizationMember:500'
  | 'createSigningLink:200'
  | 'createSigningLink:400'
  | 'createSigningLink:401'
  | 'createSigningLink:404'
  | 'createSigningLink:500'

/** What stands between client and service may answer any operation so. */
export type GatewayOutcome = 'gateway:429' | 'gateway:500' | 'gateway:502' | 'gateway:503' | 'gateway:504'

/** A scenario that ships with the package. */
export type ShippedScenario =
  | 'empty-account'
  | 'expired-token'
  | 'flaky-network'
  | 'invitation-conflicts'
  | 'rate-limited'
  | 'saved-but-failed'
  | 'service-down'
  | 'slow-everything'

/** A statement of the API document (S6.3), or an interpretation of a silence (I-07). */
export type CiteId =
  | 'S0.1'
  | 'S0.2'
  | 'S0.3'
  | 'S0.4'
  | 'S0.5'
  | 'S0.6'
  | 'SA.1'
  | 'SA.2'
  | 'SA.3'
  | 'SA.4'
  | 'SA.5'
  | 'SA.6'
  | 'SA.7'
  | 'SU.1'
  | 'SU.2'
  | 'SU.3'
  | 'SU.4'
  | 'SE.1'
  | 'SE.2'
  | 'SE.3'
  | 'SE.4'
  | 'SE.5'
  | 'SE.6'
  | 'SE.7'
  | 'SE.8'
  | 'SE.9'
  | 'S1.1'
  | 'S1.2'
  | 'S1.3'
  | 'S1.4'
  | 'S1.5'
  | 'S1.6'
  | 'S1.7'
  | 'S1.8'
  | 'S1.9'
  | 'S2.1'
  | 'S2.2'
  | 'S2.3'
  | 'S2.4'
  | 'S2.5'
  | 'S2.6'
  | 'S2.7'
  | 'S2.8'
  | 'S3.1'
  | 'S3.2'
  | 'S3.3'
  | 'S3.4'
  | 'S3.5'
  | 'S3.6'
  | 'S3.7'
  | 'S3.8'
  | 'S4.1'
  | 'S4.2'
  | 'S4.3'
  | 'S4.4'
  | 'S4.5'
  | 'S4.6'
  | 'S4.7'
  | 'S4.8'
  | 'S4.9'
  | 'S5.1'
  | 'S5.2'
  | 'S5.3'
  | 'S5.4'
  | 'S5.5'
  | 'S5.6'
  | 'S5.7'
  | 'S5.8'
  | 'S5.9'
  | 'S5.10'
  | 'S5.11'
  | 'S6.1'
  | 'S6.2'
  | 'S6.3'
  | 'S6.4'
  | 'S6.5'
  | 'S6.6'
  | 'S6.7'
  | 'S6.8'
  | 'S7.1'
  | 'S7.2'
  | 'S7.3'
  | 'S7.4'
  | 'S7.5'
  | 'S7.6'
  | 'S7.7'
  | 'I-01'
  | 'I-02'
  | 'I-03'
  | 'I-04'
  | 'I-05'
  | 'I-06'
  | 'I-07'
  | 'I-08'
  | 'I-09'
  | 'I-10'
  | 'I-11'
  | 'I-12'
  | 'I-13'
  | 'I-14'
  | 'I-15'
  | 'I-16'
  | 'I-17'
  | 'I-18'
  | 'I-19'
  | 'I-20'
  | 'I-21'
  | 'I-22'
  | 'I-23'
  | 'I-24'

export interface MockServerOptions {
  /**
   * Port to listen on; 0 picks a free one.
   * @default 4010
   */
  readonly port?: number
  /**
   * Address to listen on. Off loopback, admin needs `adminToken`.
   * @default "127.0.0.1"
   */
  readonly host?: string
  /** Folder of your scenario files, in addition to the shipped ones. Default: ./scenarios, if it exists. */
  readonly scenarios?: string
  /**
   * Scenario or outcome to switch on; repeatable.
   * @default []
   */
  readonly scenario?: readonly string[] | string
  /**
   * Seed for ids, random draws and delays.
   * @default "1"
   */
  readonly seed?: string | number
  /**
   * 'real', or an ISO 8601 time to freeze the clock at.
   * @default "real"
   */
  readonly clock?: string
  /** File to store changes to the root world in, as fixtures. */
  readonly persist?: string
  /** SMTP server to send invitation mails to, as smtp://host:port. */
  readonly smtp?: string
  /**
   * Accepted tokens: those in the fixtures, or any.
   * @default "known"
   */
  readonly auth?: 'known' | 'any'
  /**
   * Refuse requests that violate the contract in any way.
   * @default false
   */
  readonly strict?: boolean
  /**
   * Refuse calls that name no sandbox, so that no test forgets its own.
   * @default false
   */
  readonly requireSandbox?: boolean
  /**
   * Largest request body, in bytes.
   * @default 52428800
   */
  readonly bodyLimit?: number
  /**
   * Exchanges kept in each journal.
   * @default 1000
   */
  readonly journalSize?: number
  /** Token required for admin calls (Authorization: Bearer). */
  readonly adminToken?: string
  /** Base URL for links in answers, mails and pages, if clients reach the server through a proxy. */
  readonly publicUrl?: string
  /** URL of the real service to forward calls to; what you force still comes first. */
  readonly provider?: string
  /**
   * With `provider`: let the mock answer while the provider cannot be reached.
   * @default false
   */
  readonly fallback?: boolean
  /** With `provider`: token to send to the provider instead of the one that the client sends. */
  readonly providerToken?: string
  /**
   * Print a line for each exchange, with its violations (on in start; off in exec and in process).
   * @default false
   */
  readonly logRequests?: boolean
  /**
   * Apply edits to config, scenarios and fixtures while running.
   * @default false
   */
  readonly watch?: boolean
  /** Scenarios and outcomes that are on; editing this list switches them in the running server. */
  readonly active?: readonly string[]
  /** Other readings of the document where it is silent. */
  readonly interpretations?: Interpretations
  /** How invitations are answered: manual, immediately, or { after: 3s }. */
  readonly invitations?: {
    readonly accept?:
      | 'manual'
      | 'immediately'
      | string
      | {
          readonly after: number | string
        }
  }
  /** What 'countersign mutate' leaves out. */
  readonly mutate?: {
    /** Mutants that are not tried, each with the reason. */
    readonly except?: readonly {
      readonly mutant: string
      readonly why: string
    }[]
  }
  /** Fixtures file or folder, instead of the default world. */
  readonly fixtures?: string | Fixtures
  /** Serve https with this certificate and its private key: PEM texts, or paths of PEM files. */
  readonly tls?: {
    /** The certificate. */
    readonly cert: string
    /** Its private key. */
    readonly key: string
  }
}

/** Other readings of the document where it is silent. */
export interface Interpretations {
  /**
   * The status of a success, for all operations or for each.
   * @default 200
   */
  readonly successStatus?:
    | 200
    | 201
    | {
        readonly uploadSignature?: 200 | 201
        readonly updateSubOrganizationMember?: 200 | 201
        readonly verifyDocument?: 200 | 201
        readonly searchProtectedAttachments?: 200 | 201
        readonly listCreditHistories?: 200 | 201
        readonly addOrganizationMember?: 200 | 201
      }
  /**
   * The body of errors where the document shows none, for all operations or for each.
   * @default "nested"
   */
  readonly errorBody?:
    | 'nested'
    | 'flat'
    | {
        readonly uploadSignature?:
          | 'nested'
          | 'flat'
          | {
              readonly [name: string]: unknown
            }
        readonly updateSubOrganizationMember?:
          | 'nested'
          | 'flat'
          | {
              readonly [name: string]: unknown
            }
        readonly verifyDocument?:
          | 'nested'
          | 'flat'
          | {
              readonly [name: string]: unknown
            }
        readonly searchProtectedAttachments?:
          | 'nested'
          | 'flat'
          | {
              readonly [name: string]: unknown
            }
        readonly addOrganizationMember?:
          | 'nested'
          | 'flat'
          | {
              readonly [name: string]: unknown
            }
        readonly createSigningLink?:
          | 'nested'
          | 'flat'
          | {
              readonly [name: string]: unknown
            }
        readonly [name: string]: unknown
      }
  /**
   * The status for a missing or different user_type. Default: the operation's invalid status.
   * @default the operation's invalid status
   */
  readonly missingUserType?: 400 | 401 | 422
  /**
   * Whether a document must match all keywords or any of them.
   * @default "all"
   */
  readonly keywordMatch?: 'all' | 'any'
  /**
   * Whether an empty keyword is invalid or ignored.
   * @default "invalid"
   */
  readonly emptyKeyword?: 'invalid' | 'ignore'
  /**
   * Which attachments a search finds: those whose status is protected, or all.
   * @default "protected"
   */
  readonly attachmentStatus?: 'protected' | 'any'
  /**
   * Whether an unknown sort field is invalid or ignored.
   * @default "invalid"
   */
  readonly unknownSort?: 'invalid' | 'ignore'
  /**
   * The credit histories of an unknown organization: an empty list, or an error status.
   * @default "empty"
   */
  readonly unknownOrganization?: 'empty' | 400 | 404
  /**
   * The result of inviting someone whose invitation is pending: a second mail, or 409.
   * @default "resend"
   */
  readonly pendingInvitation?: 'resend' | 'conflict'
  /**
   * The status for an invitation into an unknown organization.
   * @default 400
   */
  readonly unknownInvitationOrganization?: 400 | 404
  /**
   * Whose user_uuid can verify a document: only its owner's, or anyone's.
   * @default "owner"
   */
  readonly verifyScope?: 'owner' | 'anyone'
  /**
   * Whether an empty name or role in an update is invalid, or treated as not sent.
   * @default "invalid"
   */
  readonly emptyName?: 'invalid' | 'absent'
  /**
   * The success body of a signing link, as a template; other values in it are constants.
   * @default {"link":"{link}","project_uuid":"{project_uuid}","email":"{email}","created_at":"{created_at}"}
   */
  readonly signingLinkBody?: {
    readonly [name: string]: unknown
  }
  /**
   * Whether an empty optional text field is treated as not sent, or invalid.
   * @default "absent"
   */
  readonly emptyFields?: 'absent' | 'invalid'
  /**
   * Whose data a caller can access: that of the caller's own organization, or of all.
   * @default "own"
   */
  readonly permissionReach?: 'own' | 'everywhere'
  /**
   * The values of status and message in success bodies, by operation.
   * @default {}
   */
  readonly successWords?: {
    readonly uploadSignature?: {
      readonly status?: string
      readonly message?: string
    }
    readonly updateSubOrganizationMember?: {
      readonly status?: string
      readonly message?: string
    }
    readonly verifyDocument?: {
      readonly message?: string
    }
    readonly searchProtectedAttachments?: {
      readonly message?: string
    }
    readonly addOrganizationMember?: {
      readonly status?: string
      readonly message?: string
    }
  }
  /**
   * The precision of timestamps in answers.
   * @default "milliseconds"
   */
  readonly timestamps?: 'milliseconds' | 'seconds'
}

export interface ScenarioDefinition {
  readonly $schema?: string
  readonly version?: 1
  readonly description?: string
  readonly extends?: readonly string[]
  readonly rules?: readonly ScenarioRule[]
  /** Whether the scenario is on; if left out, this does not change. */
  readonly active?: boolean
}

export interface ScenarioRule {
  /** An operation id, a list of them, or '*'. */
  readonly on:
    | '*'
    | 'uploadSignature'
    | 'updateSubOrganizationMember'
    | 'verifyDocument'
    | 'searchProtectedAttachments'
    | 'listCreditHistories'
    | 'addOrganizationMember'
    | 'createSigningLink'
    | readonly (
        | 'uploadSignature'
        | 'updateSubOrganizationMember'
        | 'verifyDocument'
        | 'searchProtectedAttachments'
        | 'listCreditHistories'
        | 'addOrganizationMember'
        | 'createSigningLink'
      )[]
  readonly when?: {
    readonly query?: {
      readonly [name: string]:
        | string
        | number
        | boolean
        | {
            readonly equals?: string | number | boolean
            readonly contains?: string
            readonly startsWith?: string
            readonly endsWith?: string
            /** A regular expression that matches anywhere in the value (RE2: no look-around, no back-references). */
            readonly matches?: string
            readonly absent?: boolean
          }
    }
    readonly path?: {
      readonly [name: string]:
        | string
        | number
        | boolean
        | {
            readonly equals?: string | number | boolean
            readonly contains?: string
            readonly startsWith?: string
            readonly endsWith?: string
            /** A regular expression that matches anywhere in the value (RE2: no look-around, no back-references). */
            readonly matches?: string
            readonly absent?: boolean
          }
    }
    readonly headers?: {
      readonly [name: string]:
        | string
        | number
        | boolean
        | {
            readonly equals?: string | number | boolean
            readonly contains?: string
            readonly startsWith?: string
            readonly endsWith?: string
            /** A regular expression that matches anywhere in the value (RE2: no look-around, no back-references). */
            readonly matches?: string
            readonly absent?: boolean
          }
    }
    readonly body?: {
      readonly [name: string]:
        | string
        | number
        | boolean
        | {
            readonly equals?: string | number | boolean
            readonly contains?: string
            readonly startsWith?: string
            readonly endsWith?: string
            /** A regular expression that matches anywhere in the value (RE2: no look-around, no back-references). */
            readonly matches?: string
            readonly absent?: boolean
          }
    }
    readonly token?: Matcher
    /** The state that the scenario must be in; it begins as 'Started'. */
    readonly state?: string
  }
  /** How many calls the rule answers before it is spent. */
  readonly times?: number
  /** How likely the rule is to answer a call that matches, drawn from the world's seed. */
  readonly chance?: number
  readonly answer?: ScenarioAnswer
  /** The state of the scenario once the rule has answered. */
  readonly then?: string
  /** The answer departs from the contract on purpose: any status from 200 to 599, any body, any content type. */
  readonly offContract?: boolean
}

export interface ScenarioAnswer {
  /** A status that the operation declares, or a gateway status: 429, 500, 502, 503, 504. */
  readonly status?: number
  /** The body to send instead of the sample body. */
  readonly body?: unknown
  readonly headers?: { readonly [name: string]: string }
  readonly delay?: Delay
  /** How the connection fails; TIMEOUT lasts until the client gives up or the server closes. */
  readonly fault?:
    | 'CONNECTION_RESET_BY_PEER'
    | 'EMPTY_RESPONSE'
    | 'MALFORMED_RESPONSE_CHUNK'
    | 'RANDOM_DATA_THEN_CLOSE'
    | 'TIMEOUT'
  /** `after`: the operation takes place, then its answer is replaced or lost. */
  readonly effect?: 'none' | 'after'
  /** The same as next to `on`. */
  readonly offContract?: boolean
}

export type Matcher =
  | string
  | number
  | boolean
  | {
      readonly equals?: string | number | boolean
      readonly contains?: string
      readonly startsWith?: string
      readonly endsWith?: string
      /** A regular expression that matches anywhere in the value (RE2: no look-around, no back-references). */
      readonly matches?: string
      readonly absent?: boolean
    }

export type Delay =
  | number
  | {
      readonly uniform: {
        readonly lower: number
        readonly upper: number
      }
    }
  | {
      readonly lognormal: {
        readonly median: number
        readonly sigma: number
      }
    }

export interface Fixtures {
  readonly $schema?: string
  readonly version?: 1
  /** `default`, or the path of a file or folder: the fixtures that the records here are added to. Records with the same key replace theirs. */
  readonly extends?: string
  readonly users?: readonly User[]
  readonly organizations?: readonly Organization[]
  readonly organization_members?: readonly OrganizationMember[]
  readonly sub_organizations?: readonly SubOrganization[]
  readonly sub_organization_members?: readonly SubOrganizationMember[]
  readonly projects?: readonly Project[]
  readonly attachments?: readonly AttachmentRecord[]
  readonly documents?: readonly DocumentRecord[]
  readonly credit_histories?: readonly CreditHistoryRecord[]
  readonly invitations?: readonly Invitation[]
  readonly signatures?: readonly Signature[]
  readonly signing_links?: readonly SigningLink[]
  /** How many ids of each kind have been assigned. New ids continue from here, so that none is used twice. */
  readonly counters?: { readonly [name: string]: number }
}

export interface User {
  readonly uuid: string
  /** The user token that authenticates this user. */
  readonly token: string
  readonly email: string
  readonly first_name: string
  readonly last_name: string
  /** @example "ENTERPRISE_API" */
  readonly user_type: string
  readonly organization_id: number
  readonly permissions: readonly 'manage_sub_organization_members'[]
}

export interface Organization {
  readonly id: number
  readonly uuid: string
  readonly name: string
}

export interface OrganizationMember {
  readonly id: number
  readonly organization_id: number
  readonly email: string
  readonly first_name: string
  readonly last_name: string
  /**
   * Role of the member.
   * @example "Member"
   */
  readonly role: Role
}

export interface SubOrganization {
  readonly uuid: string
  readonly organization_id: number
  readonly name: string
}

export interface SubOrganizationMember {
  /** Member identifier. */
  readonly id: number
  readonly first_name: string
  readonly last_name: string
  /**
   * Role of the member.
   * @example "Member"
   */
  readonly role: 'Admin' | 'Member'
  readonly sub_organization_uuid: string
}

export interface Project {
  readonly uuid: string
  readonly user_uuid: string
  readonly name: string
}

export interface AttachmentRecord {
  readonly id: number
  readonly project_uuid: string
  readonly reference_number: string
  /** A document kind label. */
  readonly type: string
  readonly category: string
  /** The value `protected` occurs. */
  readonly status: string
  readonly name: string
  readonly file_name: string
  readonly project_file_id: number
  /** Storage kind label. */
  readonly storage: string
  readonly path: string
  /** Unique fingerprint string of the document. */
  readonly dna: string
  /** Serialized JSON metadata. */
  readonly project_file_meta: string
  readonly blockchain_id: number
  readonly blockchain_uuid: string
  /** Label of the recorded event kind. */
  readonly event: string
  /** Label of the ledger network. */
  readonly network: string
}

export interface DocumentRecord {
  /** The document code. */
  readonly code: string
  /** The user who owns the document. */
  readonly user_uuid: string
  /** The PDF's sha256 in lower-case hex. */
  readonly sha256: string
  /** `verified`, or any other word for a document that cannot be verified (I-08). */
  readonly status: string
}

export interface CreditHistoryRecord {
  /** Record identifier. */
  readonly id: string
  /** UUID of the organization. */
  readonly organization_uuid: string
  /** `purchase` occurs; the other spellings are assumed (I-06). */
  readonly type: string
  readonly amount: number
  /** Currency code. */
  readonly currency: string
  /** ISO 8601 UTC timestamp. */
  readonly created_at: string
  /** E.g. `ENTERPRISE_API`. */
  readonly user_type: string
  readonly details: {
    readonly source: string
    readonly note: string
  }
  /** Who received the credits. */
  readonly received_by?: string
}

export interface Invitation {
  readonly id: string
  readonly email: string
  readonly first_name: string
  readonly last_name: string
  /**
   * Role of the member.
   * @example "Member"
   */
  readonly role: Role
  readonly organization_id: number
  readonly status: 'pending' | 'accepted' | 'declined'
  readonly created_at: string
  /** The user who invites. */
  readonly invited_by?: string
  /** When it is accepted automatically, by the world's clock. */
  readonly accepts_at?: string
}

export interface Signature {
  readonly id: string
  readonly user_uuid: string
  readonly filename: string
  /** Recognised by its content. */
  readonly media_type: string
  /** Bytes. */
  readonly size: number
  readonly sha256: string
  readonly source?: string
  readonly uuid?: string
  readonly type?: string
  readonly created_at: string
  /** A data: URL, kept for small images so that pages can show them. */
  readonly image?: string
}

export interface SigningLink {
  readonly id: string
  readonly project_uuid: string
  readonly email: string
  readonly created_at: string
  /** The user who created the link. */
  readonly created_by?: string
  readonly signed_at?: string
}

export interface Attachment {
  readonly id: number
  readonly project_uuid: string
  readonly reference_number: string
  /** A document kind label. */
  readonly type: string
  readonly category: string
  /** The value `protected` occurs. */
  readonly status: string
  readonly name: string
  readonly file_name: string
  readonly project_file_id: number
  /** Storage kind label. */
  readonly storage: string
  readonly path: string
  /** Unique fingerprint string of the document. */
  readonly dna: string
  /** Serialized JSON metadata. */
  readonly project_file_meta: string
  readonly blockchain_id: number
  readonly blockchain_uuid: string
  /** Label of the recorded event kind. */
  readonly event: string
  /** Label of the ledger network. */
  readonly network: string
}

/**
 * Role of the member.
 * @example "Member"
 */
export type Role = 'Admin' | 'Member'

/** An error. The document shows this body for the credit histories; using it for the other operations is a reading (I-02). */
export interface ErrorBody {
  readonly error: {
    /**
     * The status.
     * @example 400
     */
    readonly code: number
    /** Names the parameter if one is missing. */
    readonly message: string
  }
}

/** What each operation takes and gives. */
export interface Operations {
  /** POST /client/signature: Uploads a signature image to the caller's account for use in signing workflows. */
  readonly uploadSignature: {
    readonly request: {
      readonly query: {
        /**
         * Selects the enterprise API user kind.
         * @example "ENTERPRISE_API"
         */
        readonly user_type: 'ENTERPRISE_API'
      }
      readonly form: {
        /**
         * Signature image; PNG recommended.
         * @example "signature.png"
         */
        readonly file: Blob
        /**
         * Origin of the signature (a drawing, for instance).
         * @example "drawing"
         */
        readonly source?: string
        /** @example "0b6a3d0e-6a51-4f0e-9f2c-3f1d8f7a2c11" */
        readonly uuid?: string
        /**
         * Kind label of the upload.
         * @example "signature"
         */
        readonly type?: string
      }
    }
    readonly responses: {
      /** The signature is stored. */
      readonly 200: {
        /** @example "success" */
        readonly status: string
        readonly message: string
        /** Identifier of the stored signature (a UUID: I-09). */
        readonly signature_id: string
      }
      /** Authentication failed or token missing. */
      readonly 401: ErrorBody
      /** Required fields missing or invalid. */
      readonly 422: ErrorBody
    }
  }
  /** PUT /api/v2/sub-organizations/{subOrganizationUuid}/members/{subOrgMemberId}: Changes the fields that are sent; the others stay as they are. */
  readonly updateSubOrganizationMember: {
    readonly request: {
      readonly params: {
        /**
         * Sub-organization identifier.
         * @example "6d9b7a52-41c3-4e0f-8a75-1c2e3d4f5a60"
         */
        readonly subOrganizationUuid: string
        /**
         * Member identifier, a string or an integer.
         * @example "101"
         */
        readonly subOrgMemberId: string | number
      }
      readonly query: {
        /**
         * Selects the enterprise API user kind.
         * @example "ENTERPRISE_API"
         */
        readonly user_type: 'ENTERPRISE_API'
      }
      readonly form: {
        /**
         * New first name.
         * @example "Zoë"
         */
        readonly first_name?: string
        /**
         * New last name.
         * @example "O'Connor"
         */
        readonly last_name?: string
        /**
         * Role of the member.
         * @example "Member"
         */
        readonly role?: 'Admin' | 'Member'
      }
    }
    readonly responses: {
      /** The updated member. */
      readonly 200: {
        /** @example "success" */
        readonly status: string
        readonly message: string
        readonly data: {
          /** Member identifier. */
          readonly id: number
          readonly first_name: string
          readonly last_name: string
          /**
           * Role of the member.
           * @example "Member"
           */
          readonly role: 'Admin' | 'Member'
        }
      }
      /** Missing or invalid parameters or input. */
      readonly 400: ErrorBody
      /** Authentication failed or token missing. */
      readonly 401: ErrorBody
      /** Insufficient permissions, or a sub-organization that does not belong to the caller's organization (I-21). */
      readonly 403: ErrorBody
      /** Sub-organization or member not found. */
      readonly 404: ErrorBody
      /** Unexpected server error. */
      readonly 500: ErrorBody
    }
  }
  /** POST /api/v2/verifications/document/verify: Verifies the authenticity of a document by uploaded PDF file or by document code. At least one of `file` and `code` must be present. */
  readonly verifyDocument: {
    readonly request: {
      readonly query: {
        /**
         * Selects the enterprise API user kind.
         * @example "ENTERPRISE_API"
         */
        readonly user_type: 'ENTERPRISE_API'
      }
      readonly form: {
        /**
         * PDF file to verify.
         * @example "verified.pdf"
         */
        readonly file?: Blob
        /**
         * Document code, obtainable from the document vault.
         * @example "DOC-2025-0001"
         */
        readonly code?: string
        /**
         * UUID of the user.
         * @example "3f8b1c6a-2d4e-4b7a-9c15-7e0d6a5b4c31"
         */
        readonly user_uuid: string
      }
    }
    readonly responses: {
      /** The document is authentic. */
      readonly 200: {
        /**
         * `verified` on success.
         * @example "verified"
         */
        readonly status: string
        readonly document: {
          /** The document code. */
          readonly code: string
          /** The user UUID. */
          readonly user_uuid: string
          /** ISO 8601 UTC timestamp. */
          readonly verified_at: string
        }
        readonly message: string
      }
      /** Missing or invalid parameters or input. */
      readonly 400: ErrorBody
      /** Authentication failed or token missing. */
      readonly 401: ErrorBody
      /** Document not found. */
      readonly 404: ErrorBody
      /** Document could not be verified. */
      readonly 422: ErrorBody
    }
  }
  /** GET /api/v2/projects/protect: Returns the protected documents of the user that match up to three keywords. */
  readonly searchProtectedAttachments: {
    readonly request: {
      readonly query: {
        /**
         * Selects the enterprise API user kind.
         * @example "ENTERPRISE_API"
         */
        readonly user_type: 'ENTERPRISE_API'
        /**
         * First keyword.
         * @example "contract"
         */
        readonly 'keyword[sample_1]': string
        /**
         * Second keyword.
         * @example "lease"
         */
        readonly 'keyword[sample_2]'?: string
        /**
         * Third keyword.
         * @example "2025"
         */
        readonly 'keyword[sample_3]'?: string
      }
    }
    readonly responses: {
      /** The matching protected documents. */
      readonly 200: {
        readonly message: string
        readonly data: readonly Attachment[]
      }
      /** Missing or invalid parameters or input. */
      readonly 400: ErrorBody
      /** Authentication failed or token missing. */
      readonly 401: ErrorBody
      /** No matching documents. */
      readonly 404: ErrorBody
      /** Unexpected server error. */
      readonly 500: ErrorBody
    }
  }
  /** GET /api/v2/credits/histories: Reads the paginated history of credit purchases, allocations, returns and free credits of an organization. */
  readonly listCreditHistories: {
    readonly request: {
      readonly query: {
        /**
         * Page number.
         * @example 1
         */
        readonly page: number
        /**
         * Results per page.
         * @example 10
         */
        readonly per_page: number
        /**
         * Organization whose history is read.
         * @example "1c9e4b7d-3f52-4a86-b0d1-8e7f6a5b4c20"
         */
        readonly organization_uuid: string
        /**
         * Filter by user type.
         * @example "ENTERPRISE_API"
         */
        readonly user_type?: string
        /**
         * Field to sort by.
         * @example "received_by"
         */
        readonly sort?:
          | 'received_by'
          | 'id'
          | 'organization_uuid'
          | 'type'
          | 'amount'
          | 'currency'
          | 'created_at'
          | 'user_type'
        /**
         * Direction of the sort.
         * @example "desc"
         */
        readonly order?: 'asc' | 'desc'
      }
    }
    readonly responses: {
      /** The requested page. */
      readonly 200: {
        readonly page: number
        readonly per_page: number
        /** Total number of records. */
        readonly total: number
        readonly histories: readonly {
          /** Record identifier. */
          readonly id: string
          /** UUID of the organization. */
          readonly organization_uuid: string
          /** `purchase` occurs; the other spellings are assumed (I-06). */
          readonly type: string
          readonly amount: number
          /** Currency code. */
          readonly currency: string
          /** ISO 8601 UTC timestamp. */
          readonly created_at: string
          /** E.g. `ENTERPRISE_API`. */
          readonly user_type: string
          readonly details: {
            readonly source: string
            readonly note: string
          }
        }[]
      }
      /** A required parameter is missing, or a parameter is invalid (I-06). */
      readonly 400: ErrorBody
      /** Authentication failed or token missing. */
      readonly 401: ErrorBody
    }
  }
  /** POST /api/v2/organization/members/add: Sends an e-mail invitation to the user, who can accept or decline it. */
  readonly addOrganizationMember: {
    readonly request: {
      readonly query: {
        /**
         * Selects the enterprise API user kind.
         * @example "ENTERPRISE_API"
         */
        readonly user_type: 'ENTERPRISE_API'
      }
      readonly form: {
        /**
         * E-mail of the member to add.
         * @example "ada@example.test"
         */
        readonly 'data[0][email]': string
        /** @example "Ada" */
        readonly 'data[0][first_name]': string
        /** @example "Lovelace" */
        readonly 'data[0][last_name]': string
        /**
         * Role of the member: `Admin` or `Member`, in any letter case (I-07).
         * @example "Member"
         */
        readonly 'data[0][role]': string
        /**
         * Identifier of the organization, a string or an integer.
         * @example "1"
         */
        readonly 'data[0][organization_id]': string | number
      }
    }
    readonly responses: {
      /** The invitation is sent. */
      readonly 200: {
        /** @example "success" */
        readonly status: string
        readonly message: string
      }
      /** Missing or invalid parameters or input. */
      readonly 400: ErrorBody
      /** Authentication failed or token missing. */
      readonly 401: ErrorBody
      /** User already exists in the organization. */
      readonly 409: ErrorBody
      /** Unexpected server error. */
      readonly 500: ErrorBody
    }
  }
  /** POST /api/v2/projects/{uuid}/link: Generates a signing link for a project, intended to be sent to a recipient by e-mail. */
  readonly createSigningLink: {
    readonly request: {
      readonly params: {
        /**
         * Project UUID.
         * @example "a4e2f6d8-5b1c-4d3e-8f90-6a7b8c9d0e11"
         */
        readonly uuid: string
      }
      readonly query: {
        /**
         * E-mail address of the recipient.
         * @example "grace@example.test"
         */
        readonly email: string
      }
    }
    readonly responses: {
      /** The signing link and related metadata (fields: I-11). */
      readonly 200: {
        /** The unique signable link. */
        readonly link: string
        readonly project_uuid: string
        readonly email: string
        readonly created_at: string
      }
      /** Invalid UUID, or missing or invalid e-mail. */
      readonly 400: ErrorBody
      /** Authentication failed or token missing. */
      readonly 401: ErrorBody
      /** The project is unknown. */
      readonly 404: ErrorBody
      /** Unexpected server error. */
      readonly 500: ErrorBody
    }
  }
}
