import { useRef } from 'preact/hooks'
import type { Complaint } from '../api.js'
import { ComplaintList } from './complaint-list.js'

interface Props {
  readonly label: string
  readonly text: string
  readonly complaints: readonly Complaint[]
  readonly set: (text: string) => void
}

/** JSON or YAML to edit. Each complaint leads to its line. */
export function TextEditor({ label, text, complaints, set }: Props) {
  const area = useRef<HTMLTextAreaElement>(null)
  const select = (line: number) => {
    const lines = text.split('\n')
    const start = lines.slice(0, line - 1).join('\n').length + (line > 1 ? 1 : 0)
    area.current?.focus()
    area.current?.setSelectionRange(start, start + (lines[line - 1] ?? '').length)
  }
  return (
    <>
      <label class="field">
        {label}
        <textarea
          ref={area}
          rows={Math.min(24, Math.max(8, text.split('\n').length + 1))}
          spellcheck={false}
          value={text}
          onInput={({ currentTarget }) => set(currentTarget.value)}
        />
      </label>
      <ComplaintList of={complaints} select={select} />
    </>
  )
}
