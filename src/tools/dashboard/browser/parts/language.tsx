import { useEffect, useState } from 'preact/hooks'

const LANGUAGES = ['curl', 'fetch'] as const
export type CommandLanguage = (typeof LANGUAGES)[number]

const KEY = 'countersign:language'

/** How commands are written, in every view and tab. */
export function useLanguage(): CommandLanguage {
  const [language, setLanguage] = useState(chosenLanguage)
  useEffect(() => {
    const changed = () => setLanguage(chosenLanguage())
    addEventListener('storage', changed)
    return () => removeEventListener('storage', changed)
  }, [])
  return language
}

export function chosenLanguage(): CommandLanguage {
  return localStorage.getItem(KEY) === 'fetch' ? 'fetch' : 'curl'
}

export function LanguageSwitch() {
  const language = useLanguage()
  const choose = (one: CommandLanguage) => {
    localStorage.setItem(KEY, one)
    // The browser tells only other pages.
    dispatchEvent(new Event('storage'))
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is no row
    <span class="choices" role="group" aria-label="Commands as">
      {LANGUAGES.map((one) => (
        <button key={one} type="button" class="small" aria-pressed={one === language} onClick={() => choose(one)}>
          {`as ${one}`}
        </button>
      ))}
    </span>
  )
}

/** A fix, which is told as options of curl, in the words of `fetch`. */
export function fixIn(language: CommandLanguage, fix: string): string {
  if (language === 'curl') return fix
  return fix
    .replace(/-F '([^'=]+)=@([^';]*)[^']*'/g, (_, name, file) => `form.append('${name}', file)   // ${file}`)
    .replace(/-F '([^'=]+)=([^']*)'/g, "form.append('$1', '$2')")
    .replace(/-H '([^':]+): ([^']*)'/g, "headers: { '$1': '$2' }")
}
