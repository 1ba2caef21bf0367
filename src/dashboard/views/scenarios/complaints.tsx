import type { Complaint } from '../../api.js'

/** The complaints of a refusal, with what they are about. */
export interface Refusal {
  readonly complaints: readonly Complaint[]
  /** What was sent. */
  readonly sent: unknown
}

/** What is wrong with the field at a path, or with what is in it. */
export function Complaints({ of, at }: { readonly of: Refusal; readonly at: string }) {
  return <Listed of={of} complaints={of.complaints.filter(({ path }) => isWithin(path, at))} />
}

/** What is wrong below a path, and at none of the fields there. */
export function OtherComplaints({
  of,
  at,
  fields,
}: {
  readonly of: Refusal
  readonly at: string
  readonly fields: readonly string[]
}) {
  const others = of.complaints.filter(
    ({ path }) => isWithin(path, at) && !fields.some((field) => isWithin(path, join(at, field))),
  )
  return <Listed of={of} complaints={others} />
}

function Listed({ of, complaints }: { readonly of: Refusal; readonly complaints: readonly Complaint[] }) {
  if (complaints.length === 0) return null
  return (
    <div class="problem" role="alert">
      <ul>
        {complaints.map(({ path, message }) => (
          <li key={path + message}>
            <code>{path}</code> <Sent value={valueAt(of.sent, path)} />
            <br />
            <bdi>{message}</bdi>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Characters of a value that are shown beside its complaint. */
const MOST = 120

function Sent({ value }: { readonly value: unknown }) {
  if (value === undefined || (typeof value === 'object' && value !== null)) return null
  return (
    <code class="sent">
      <bdi>{JSON.stringify(value).slice(0, MOST)}</bdi>
    </code>
  )
}

function join(at: string, field: string): string {
  return at === '' ? field : `${at}.${field}`
}

function isWithin(path: string, at: string): boolean {
  return at === '' || path === at || path.startsWith(`${at}.`) || path.startsWith(`${at}[`)
}

function valueAt(sent: unknown, path: string): unknown {
  let value = sent
  for (const name of path.split(/[.[\]]+/).filter(Boolean)) {
    if (typeof value !== 'object' || value === null) return undefined
    value = (value as Record<string, unknown>)[name]
  }
  return value
}
