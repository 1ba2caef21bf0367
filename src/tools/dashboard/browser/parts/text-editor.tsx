import { useEffect, useRef, useState } from 'preact/hooks'
import type { CallError } from '../admin.js'
import { Problem } from './controls.js'
import type { EditorOptions, openEditor } from './editor.js'

interface TextEditorProps extends Pick<EditorOptions, 'completes'> {
  readonly label: string
  readonly text: string
  readonly failure: CallError | undefined
  readonly set: (text: string) => void
}

type Editor = ReturnType<typeof openEditor>

/** An editor for YAML, and for JSON, which is YAML too. It is loaded when it is first shown. */
export function TextEditor({ label, text, failure, set, completes }: TextEditorProps) {
  const place = useRef<HTMLDivElement>(null)
  const [editor, setEditor] = useState<Editor>()
  const current = useRef({ text, set })
  /** What was typed here, and may come back late. */
  const typed = useRef<string[]>([])
  current.current = { text, set }
  useEffect(() => {
    let opened: Editor | undefined
    let isOver = false
    void loadEditor().then((open) => {
      if (isOver || place.current === null) return
      const changed = (now: string) => {
        typed.current.push(now)
        current.current.set(now)
      }
      opened = open(place.current, { label, text: current.current.text, changed, completes })
      setEditor(opened)
    })
    return () => {
      isOver = true
      opened?.close()
    }
  }, [])
  useEffect(() => {
    const at = typed.current.lastIndexOf(text)
    typed.current.splice(0, at + 1)
    if (at === -1) editor?.setText(text)
  }, [editor, text])
  useEffect(() => editor?.showComplaints(failure?.complaints ?? []), [editor, failure])
  return (
    <>
      <span class="quiet">{label}</span>
      <div class="editor" ref={place} />
      <Problem failure={failure} select={(line) => editor?.select(line)} />
    </>
  )
}

async function loadEditor(): Promise<typeof openEditor> {
  const module: { openEditor: typeof openEditor } = await import(new URL('editor.js', document.baseURI).href)
  return module.openEditor
}
