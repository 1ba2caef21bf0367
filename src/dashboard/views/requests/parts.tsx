import type { ExchangeEntry } from '../../../world/journal/entry.js'
import { Code, textOf } from '../../parts/code.js'
import { Facts } from '../../parts/facts.js'
import { Status } from '../../parts/marks.js'

interface Props {
  readonly exchange: ExchangeEntry
}

/** What the client sent, part by part. */
export function RequestPart({ exchange: { url, request } }: Props) {
  const { query, params, headers, body } = request
  return (
    <section aria-labelledby="request-title">
      <h3 id="request-title">Request</h3>
      <Code text={url} label="URL" low />
      <Part title="Path" of={params} />
      <Part title="Query" of={query} />
      {typeof body !== 'string' ? (
        <Part title="Form fields" of={body ?? {}} />
      ) : (
        <>
          <h4>Body</h4>
          <Code text={textOf(body)} label="Body of the request" />
        </>
      )}
      <Folded title="Headers" of={headers} />
    </section>
  )
}

/** What the client got. */
export function AnswerPart({ exchange: { status, response } }: Props) {
  if (response === null) return null
  return (
    <section aria-labelledby="answer-title">
      <h3 id="answer-title">Answer</h3>
      {response.fault === null ? (
        <p>
          <Status status={status} />
        </p>
      ) : (
        <p>
          The connection was broken on purpose: <code>{response.fault}</code>.
        </p>
      )}
      {response.body !== null && <Code text={textOf(response.body)} label="Body of the answer" />}
      <Folded title="Headers" of={response.headers} />
    </section>
  )
}

interface PartProps {
  readonly title: string
  readonly of: Readonly<Record<string, unknown>>
}

function Part({ title, of }: PartProps) {
  if (Object.keys(of).length === 0) return null
  return (
    <>
      <h4>{title}</h4>
      <Facts of={of} />
    </>
  )
}

/** Facts that few look for. */
export function Folded({ title, of }: PartProps) {
  return (
    <details>
      <summary>{title}</summary>
      <Facts of={of} />
    </details>
  )
}
