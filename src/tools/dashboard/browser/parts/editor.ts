import { autocompletion, type CompletionSource, completionKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { yaml } from '@codemirror/lang-yaml'
import { HighlightStyle, indentOnInput, syntaxHighlighting } from '@codemirror/language'
import { type Diagnostic, setDiagnostics } from '@codemirror/lint'
import { EditorState } from '@codemirror/state'
import { EditorView, keymap, lineNumbers } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import type { FileComplaint } from '../../../../engine/files/invalid-files.js'

interface EditorOptions {
  readonly label: string
  readonly text: string
  readonly changed: (text: string) => void
  readonly completions: CompletedKeys
}

type CompletedKeys = Readonly<Record<string, readonly string[]>>

/** In a shadow tree, where its styles need no permission from the page. */
export function openEditor(place: HTMLElement, { label, text, changed, completions }: EditorOptions) {
  let isSetting = false
  const root = place.attachShadow({ mode: 'open' })
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        history(),
        indentOnInput(),
        yaml(),
        syntaxHighlighting(COLOURS),
        autocompletion({ override: [completionOf(completions)] }),
        keymap.of([...completionKeymap, ...historyKeymap, ...defaultKeymap]),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ 'aria-label': label }),
        EditorView.updateListener.of(({ docChanged, state }) => docChanged && !isSetting && changed(String(state.doc))),
        LOOK,
      ],
    }),
  })
  const lineAt = (line: number) => view.state.doc.line(Math.min(line, view.state.doc.lines))
  return {
    setText: (now: string) => {
      const { doc } = view.state
      if (String(doc) === now) return
      isSetting = true
      view.dispatch({ changes: { from: 0, to: doc.length, insert: now } })
      isSetting = false
    },
    showComplaints: (complaints: readonly FileComplaint[]) => {
      const diagnostics = complaints.flatMap(({ line, column = 1, message }): Diagnostic[] => {
        if (line === undefined) return []
        const { from, to } = lineAt(line)
        return [{ from: Math.min(from + column - 1, to), to, severity: 'error', message }]
      })
      view.dispatch(setDiagnostics(view.state, diagnostics))
    },
    select: (line: number) => {
      const { from, to } = lineAt(line)
      view.dispatch({ selection: { anchor: from, head: to }, scrollIntoView: true })
      view.focus()
    },
    close: () => view.destroy(),
  }
}

const LOOK = EditorView.theme({
  '&': { color: 'var(--ink)', backgroundColor: 'var(--sheet)', fontSize: '0.84rem', maxHeight: '32rem' },
  '&.cm-focused': { outline: '3px solid var(--accent)', outlineOffset: '2px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', overflow: 'auto' },
  '.cm-content': { caretColor: 'var(--ink)' },
  '.cm-gutters': { color: 'var(--quiet)', backgroundColor: 'var(--code)', border: 'none' },
  '.cm-tooltip': { color: 'var(--ink)', backgroundColor: 'var(--sheet)', border: '1px solid var(--edge)' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { color: 'var(--accent-ink)', backgroundColor: 'var(--accent)' },
})

const COLOURS = HighlightStyle.define([
  { tag: tags.definition(tags.propertyName), color: 'var(--accent)' },
  { tag: tags.string, color: 'var(--ok)' },
  { tag: tags.comment, color: 'var(--quiet)' },
])

/** Keys before a colon, values behind it. */
function completionOf(keys: CompletedKeys): CompletionSource {
  return (context) => {
    const line = context.state.doc.lineAt(context.pos)
    const before = line.text.slice(0, context.pos - line.from)
    const word = context.matchBefore(/[\w:*]*$/)
    if (word === null || (word.from === word.to && !context.explicit)) return null
    const [, key] = /(\w+):\s+[[\w:*, '"]*$/.exec(before) ?? []
    const values = key !== undefined && Object.hasOwn(keys, key) ? keys[key] : undefined
    const labels = values ?? Object.keys(keys).map((one) => `${one}: `)
    return { from: word.from, options: labels.map((label) => ({ label, type: values ? 'constant' : 'property' })) }
  }
}
