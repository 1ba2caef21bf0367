import { Type } from '@sinclair/typebox'
import type { Cite } from '../../../schemas/cites.js'
import { dateTime } from '../../../schemas/common.js'
import { InterpretationsFile } from '../../../schemas/config.js'
import { contracts } from '../../../schemas/contracts.js'
import { isGatewayStatus } from '../../../schemas/gateway.js'
import { readSource } from '../../text/source-file.js'
import { didYouMean, quote } from '../../text/wording.js'
import { type Mistake, requireSchema } from '../../validation/explain.js'
import { staleEvidence } from '../../validation/stale-evidence.js'
import type { Answer } from '../calls/send.js'
import { type LearnedFile, learnedFrom } from '../learned-file.js'
import type { Verification } from '../verify.js'
import { FORMATS, merge, type Shape, STATUS, shapeOf } from './shape.js'

/** What was seen of a provider, to be held against when it is not there: shapes, and never what was said. */
export interface Snapshot {
  readonly kind: 'countersign snapshot'
  readonly version: 1
  readonly recorded: { readonly target: string; readonly at: string }
  /** By operation and status, what answers looked like; of one without a body, nothing. */
  readonly answers: Readonly<Record<string, Readonly<Record<string, Seen>>>>
  /** Where the provider departed from the document, as far as shapes do not tell. */
  readonly departures: readonly Departure[]
  readonly interpretations: LearnedFile['interpretations']
  readonly evidence: LearnedFile['evidence']
}

interface Seen {
  /** The media type, without its parameters. */
  readonly contentType: string
  readonly body?: Shape
}

interface Departure {
  readonly operation: string
  readonly where: string
  readonly cites: readonly Cite[]
}

/** What a verification saw. */
export function snapshotOf(verification: Verification, target: string, at: Date): Snapshot {
  const { interpretations, evidence } = learnedFrom(verification.lessons, target, at)
  return {
    kind: 'countersign snapshot',
    version: 1,
    recorded: { target, at: at.toISOString() },
    answers: answersSeen(verification),
    departures: verification.findings.all
      .filter(({ state }) => state === 'drift')
      .map(({ operation, where, cites }) => ({ operation, where, cites })),
    interpretations,
    evidence,
  }
}

function answersSeen({ contracts, answers }: Verification): Snapshot['answers'] {
  const byOperation = contracts.map((contract) => {
    const own = answers.filter(
      ({ call, status }) => call.contract.id === contract.id && (status === 500 || !isGatewayStatus(contract, status)),
    )
    const statuses = [...new Set(own.map(({ status }) => status))].sort()
    return [
      contract.id,
      Object.fromEntries(statuses.map((status) => [status, seen(own.filter((one) => one.status === status))])),
    ] as const
  })
  return Object.fromEntries(byOperation.filter(([, seen]) => Object.keys(seen).length > 0))
}

function seen(answers: readonly Answer[]): Seen {
  const [first, ...others] = answers
    .filter(({ body }) => body !== undefined)
    .map(({ body, status }) => shapeOf(body, status))
  const [{ contentType }] = answers as [Answer, ...Answer[]]
  const type = (contentType.split(';')[0] ?? '').trim().toLowerCase()
  return {
    contentType: /^[\w.+-]+\/[\w.+-]+$/.test(type) ? type : '',
    ...(first !== undefined && { body: others.reduce(merge, first) }),
  }
}

const closed = { additionalProperties: false }
const TYPES = ['object', 'array', 'string', 'integer', 'number', 'boolean', 'null'] as const
const FORMS = [...Object.keys(FORMATS), STATUS]
const FormatName = Type.Unsafe<string>({ type: 'string', enum: FORMS })
const TypeName = Type.Unsafe<string>({ type: 'string', enum: TYPES })

const ShapeSchema = Type.Recursive(
  (Self) =>
    Type.Object(
      {
        type: Type.Unsafe({
          anyOf: [TypeName, Type.Array(TypeName)],
          'x-allowed': `one of ${TYPES.join(', ')}, or a list of these`,
        }),
        properties: Type.Optional(Type.Record(Type.String(), Self)),
        required: Type.Optional(Type.Array(Type.String())),
        items: Type.Optional(Self),
        format: Type.Optional(
          Type.Unsafe({
            anyOf: [FormatName, Type.Array(FormatName)],
            'x-allowed': `one of ${FORMS.join(', ')}, or a list of these`,
          }),
        ),
        values: Type.Optional(Type.Array(Type.String())),
      },
      closed,
    ),
  { $id: 'Shape' },
)

const SnapshotSchema = Type.Object(
  {
    kind: Type.Literal('countersign snapshot'),
    version: Type.Literal(1),
    recorded: Type.Object({ target: Type.String(), at: dateTime() }, closed),
    answers: Type.Record(
      Type.String(),
      Type.Record(
        Type.String({ pattern: '^[2-5]\\d\\d$' }),
        Type.Object({ contentType: Type.String(), body: Type.Optional(ShapeSchema) }, closed),
      ),
    ),
    departures: Type.Array(
      Type.Object({ operation: Type.String(), where: Type.String(), cites: Type.Array(Type.String()) }, closed),
    ),
    interpretations: InterpretationsFile.properties.interpretations,
    evidence: Type.Object({}),
  },
  closed,
)

/**
 * Reads a file that `verify --record` wrote.
 * @throws {InvalidFiles} with every complaint about it
 */
export async function readSnapshot(file: string): Promise<Snapshot> {
  const source = await readSource(file)
  const data = source.data ?? {}
  await requireSchema(source, SnapshotSchema, data, [...strangers(data), ...staleEvidence(data)])
  return data as Snapshot
}

/** Operations that there are not, and a snapshot without any. */
function strangers(data: unknown): Mistake[] {
  const { answers } = data as Partial<Snapshot>
  if (typeof answers !== 'object' || answers === null) return []
  const ids = contracts.map(({ id }) => id)
  const names = Object.keys(answers)
  const message = "'answers' has no operation: record the snapshot again with countersign verify --record."
  if (names.length === 0) return [{ path: ['answers'], message, about: 'value' }]
  return names
    .filter((name) => !ids.some((id) => id === name))
    .map((name) => ({
      path: ['answers', name],
      message: `There is no operation ${quote(name)}.${didYouMean(name, ids)} Allowed: ${ids.join(', ')}.`,
      about: 'key',
    }))
}

/** The file as `verify --record` writes it: YAML or, by its name, JSON. */
export async function snapshotText(snapshot: Snapshot, file: string): Promise<string> {
  if (file.endsWith('.json')) return `${JSON.stringify(snapshot, null, 2)}\n`
  const { stringify } = await import('../../text/yaml.js')
  return stringify(snapshot, { lineWidth: 0, aliasDuplicateObjects: false })
}
