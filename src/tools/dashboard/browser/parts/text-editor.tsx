import { useRef } from 'preact/hooks'
import type { CallError } from '../api.js'
import { Problem } from './controls.js'

interface TextEditorProps {
  readonly label: string
  readonly text: string
  readonly failure: CallError | undefined
  readonly set: (text: string) => void
}

export function TextEditor({ label, text, failure, set }: TextEditorProps) {
  const area = useRef<HTMLTextAreaElement>(null)
  const lines = text.split('\n')
  const select = (line: number) => {
    const start = lines.slice(0, line - 1).reduce((sum, { length }) => sum + length + 1, 0)
    area.current?.focus()
    area.current?.setSelectionRange(start, start + (lines[line - 1] ?? '').length)
  }
  return (
    <>
      <label>
        {label}
        <textarea
          ref={area}
          rows={Math.min(24, lines.length + 1)}
          value={text}
          onInput={({ currentTarget }) => set(currentTarget.value)}
        />
      </label>
      <Problem failure={failure} select={select} />
    </>
  )
}
