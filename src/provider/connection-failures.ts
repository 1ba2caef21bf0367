/** What could not be connected to, and the option that names it. */
export interface Place {
  readonly url: string
  readonly hostname: string
  readonly option: '--target' | '--provider'
}

interface Failure {
  readonly codes: RegExp
  /** Whether it may pass by itself: the call is worth sending again. */
  readonly passing: boolean
  readonly words: (place: Place) => string
}

/** Why connections do not come about, by the codes of the errors: what to say, and what to do. */
const FAILURES: readonly Failure[] = [
  {
    codes: /^ECONNREFUSED$/,
    passing: true,
    words: ({ url, option }) => `Nothing listens at '${url}': start the provider there, or correct ${option}.`,
  },
  {
    codes: /^(ENOTFOUND|EAI_AGAIN|EAI_FAIL|EAI_NODATA)$/,
    passing: false,
    words: ({ url, hostname, option }) =>
      `The host '${hostname}' of '${url}' is unknown: correct ${option}, or check the network's DNS.`,
  },
  {
    codes: /^(EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN|EADDRNOTAVAIL|EACCES|EPERM|ETIMEDOUT)$/,
    passing: false,
    words: ({ url, option }) => `'${url}' cannot be reached from here: check the network, or correct ${option}.`,
  },
  {
    codes: /^ERR_TLS_CERT_ALTNAME_INVALID$/,
    passing: false,
    words: ({ url, hostname, option }) =>
      `The certificate of '${url}' is not for the host '${hostname}': use the host that it is for in ${option}.`,
  },
  {
    codes: /CERT|SELF_SIGNED|UNABLE_TO|TLS|SSL|EPROTO/,
    passing: false,
    words: ({ url, option }) =>
      `The certificate of '${url}' is not trusted, or the server does not use TLS: correct ${option}, or add the certificate's authority to NODE_EXTRA_CA_CERTS.`,
  },
]

/** Why a connection did not come about; undefined for a code that says nothing of that. */
export function whyNotConnected(
  code: string,
  place: Place,
): { readonly message: string; readonly passing: boolean } | undefined {
  const found = FAILURES.find(({ codes }) => codes.test(code))
  return found && { message: found.words(place), passing: found.passing }
}
