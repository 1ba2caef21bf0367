import { Fragment } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { ExchangeEntry } from '../../../world/journal/entry.js'
import { isForm } from '../../../world/journal/sent-request.js'
import { callText } from '../../api.js'
import { useAct } from '../../parts/act.js'
import { visible } from '../../parts/code.js'
import { CopyButton } from '../../parts/copy-button.js'
import { Problem } from '../../parts/problem.js'

/** The request as it should have been, in which is marked what differs from what was sent. */
export function Corrected({ exchange }: { readonly exchange: ExchangeEntry }) {
  const path = `requests/${encodeURIComponent(exchange.id)}?format=`
  const [texts, setTexts] = useState({ sent: '', corrected: '' })
  const { run, failure } = useAct()
  useEffect(() => {
    void run(async () => {
      const [sent, corrected] = await Promise.all([callText(`${path}curl`), callText(`${path}corrected`)])
      setTexts({ sent, corrected })
    })
  }, [path])
  const gone = leftOut(exchange, texts.corrected)
  return (
    <section class="corrected" aria-labelledby="corrected-title">
      <h3 id="corrected-title">Corrected request</h3>
      <p class="copies">
        <span>As it should have been, marked where it differs:</span>
        <CopyButton name="Copy corrected as curl" text={async () => texts.corrected} />
        <CopyButton name="Copy corrected as fetch" text={() => callText(`${path}corrected-fetch`)} />
      </p>
      <Problem failure={failure} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
      <section class="code" tabIndex={0} aria-label="Corrected request">
        <pre>
          <code>
            {pieces(texts).map(({ before, text, after, isNew }, at) => (
              <Fragment key={at}>
                {before}
                {isNew ? <mark>{visible(text)}</mark> : visible(text)}
                {after}
              </Fragment>
            ))}
          </code>
        </pre>
      </section>
      {texts.corrected !== '' && gone.length > 0 && (
        <p class="quiet">
          Left out:{' '}
          {gone.map((name) => (
            <del key={name}>
              <code>{visible(name)}</code>
            </del>
          ))}
        </p>
      )}
    </section>
  )
}

/** The lines of the corrected request, and the parts of its URL; each is new unless it was sent as well. */
function pieces({ sent, corrected }: { readonly sent: string; readonly corrected: string }) {
  return corrected
    .split(/(?<=\n)/)
    .flatMap((line) => (line.startsWith('curl') ? line.split(/(?<=[?&])|(?=[?&'])/) : [line]))
    .map((piece) => {
      const [, before = '', text = '', after = ''] = /^(\s*)(.*?)((?: \\)?\s*)$/s.exec(piece) ?? []
      return { before, text, after, isNew: text !== '' && !isSent(text, sent) }
    })
}

function isSent(piece: string, sent: string): boolean {
  if (/^(TOKEN=|-H 'Authorization)/.test(piece)) return sent.includes('$TOKEN')
  // An option stands with its quotes, a part of the URL between marks.
  if (/^(curl|-)/.test(piece)) return sent.includes(piece)
  return sent.split(/[?&'"\s]/).includes(piece.replace(/^['?&]/, ''))
}

/** The names of parameters and fields that were sent, and no longer are. */
function leftOut({ request }: ExchangeEntry, corrected: string): readonly string[] {
  const { body } = request
  const kept = new Set(corrected.split(/['?&\s]/).map((part) => part.split('=')[0]))
  const names = [...Object.keys(request.query), ...(isForm(body) ? Object.keys(body) : [])]
  return names.filter((name) => !kept.has(name) && !kept.has(encodeURIComponent(name)))
}
