import { useEffect, useState } from 'preact/hooks'
import type { ExchangeEntry } from '../../../../../engine/journal/entry.js'
import { isForm } from '../../../../../engine/journal/sent-request.js'
import { getText } from '../../api.js'
import { Problem, useAct } from '../../parts/controls.js'
import { CopyButton } from '../../parts/copy-button.js'
import { LanguageSwitch, useLanguage } from '../../parts/language.js'
import { Code, visible } from '../../parts/texts.js'

const FORMATS = { curl: ['curl', 'corrected'], fetch: ['fetch', 'corrected-fetch'] } as const

export function Corrected({ exchange: { id, request } }: { readonly exchange: ExchangeEntry }) {
  const language = useLanguage()
  const [[sent = '', corrected = ''], setTexts] = useState<readonly string[]>([])
  const { run, failure } = useAct()
  useEffect(() => {
    const texts = FORMATS[language].map((format) => getText(`requests/${encodeURIComponent(id)}?format=${format}`))
    void run(async () => setTexts(await Promise.all(texts)))
  }, [language])
  const words = wordsOf(sent)
  const sentFields = Object.entries({ ...request.query, ...(isForm(request.body) ? request.body : {}) })
  const leftOut = corrected === '' ? [] : sentFields.filter(([name, value]) => !isKept(name, value, corrected, words))
  return (
    <section aria-labelledby="corrected-title">
      <h3 id="corrected-title">Corrected request</h3>
      <p class="row copies">
        <LanguageSwitch />
        <CopyButton name={`Copy corrected as ${language}`} text={corrected} />
        <span class="quiet">Changes are highlighted.</span>
      </p>
      <Problem failure={failure} />
      <Code label={language === 'curl' ? 'Corrected curl line' : 'Corrected call of fetch'}>
        {corrected.split(SEPARATORS).map((word, at) =>
          // Header names have any letter case.
          at % 2 === 1 || words.includes(word) || words.includes(word.toLowerCase()) ? (
            visible(word)
          ) : (
            <mark key={at}>{visible(word)}</mark>
          ),
        )}
      </Code>
      {leftOut.length > 0 && (
        <p class="quiet">
          Left out:{' '}
          {leftOut.map(([name]) => (
            <del key={name}>
              <code>{visible(name)}</code>
            </del>
          ))}
        </p>
      )}
    </section>
  )
}

const SEPARATORS = /([\s?&\\'"`,(){}]+)/

/** A field is kept if the corrected request has its name, or its value below a name that was not sent. */
function isKept(name: string, value: unknown, corrected: string, sent: readonly string[]): boolean {
  const words = wordsOf(corrected)
  const names = words.map((word) => word.split('=')[0])
  if ([name, encodeURIComponent(name)].some((one) => names.includes(one))) return true
  const values = [value].flat().map((one) => encodeURIComponent(String(one)))
  return words.some((word) => {
    const [newName = '', newValue] = word.split('=')
    return values.includes(newValue ?? '') && !sent.some((one) => one.split('=')[0] === newName)
  })
}

function wordsOf(command: string): readonly string[] {
  return command.split(SEPARATORS).filter((_, at) => at % 2 === 0)
}
