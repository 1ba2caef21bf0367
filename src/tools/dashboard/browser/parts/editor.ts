import {
  autocompletion,
  type CompletionContext,
  type CompletionResult,
  completionKeymap,
} from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { yaml } from '@codemirror/lang-yaml'
import { HighlightStyle, indentOnInput, syntaxHighlighting } from '@codemirror/language'
import { type Diagnostic, setDiagnostics } from '@codemirror/lint'
import { EditorState } from '@codemirror/state'
import { EditorView, keymap, lineNumbers } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import scenario from '../../../../../schemas/json/scenario.schema.json' with { type: 'json' }

export interface EditorOptions {
  readonly label: string
  readonly text: string
  readonly changed: (text: string) => void
  /** The kind of file whose keys and values it knows. */
  readonly completes?: 'scenario' | undefined
}

interface Complaint {
  readonly line?: number
  readonly column?: number
  readonly message: string
}

/** Puts an editor into an element: in a shadow tree, because there its styles need no permission from the page. */
export function openEditor(place: HTMLElement, { label, text, changed, completes }: EditorOptions) {
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
        completes === undefined ? [] : autocompletion({ override: [completeScenario] }),
        keymap.of([...completionKeymap, ...historyKeymap, ...defaultKeymap]),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ 'aria-label': label }),
        EditorView.updateListener.of(({ docChanged, state }) => docChanged && !isSetting && changed(String(state.doc))),
        LOOK,
      ],
    }),
  })
  const offsetOf = ({ line = 1, column = 1 }: Complaint) => {
    const { from, to } = view.state.doc.line(Math.min(line, view.state.doc.lines))
    return { from: Math.min(from + column - 1, to), to }
  }
  return {
    setText: (now: string) => {
      const { doc } = view.state
      if (String(doc) === now) return
      isSetting = true
      view.dispatch({ changes: { from: 0, to: doc.length, insert: now } })
      isSetting = false
    },
    showComplaints: (complaints: readonly Complaint[]) => {
      const located = complaints.filter(({ line }) => line !== undefined)
      const diagnostics = located.map(
        (one): Diagnostic => ({ ...offsetOf(one), severity: 'error', message: one.message }),
      )
      view.dispatch(setDiagnostics(view.state, diagnostics))
    },
    select: (line: number) => {
      const { from, to } = view.state.doc.line(Math.min(line, view.state.doc.lines))
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

interface Schema {
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly [keyword: string]: unknown
}

/** Every key of a scenario's schema, with the values that it may have. */
function keysIn(schema: unknown, keys = new Map<string, Set<string>>()): Map<string, Set<string>> {
  if (typeof schema !== 'object' || schema === null) return keys
  for (const [key, property] of Object.entries((schema as Schema).properties ?? {})) {
    const values = keys.get(key) ?? new Set()
    for (const value of valuesIn(property)) values.add(value)
    keys.set(key, values)
  }
  for (const part of Object.values(schema)) keysIn(part, keys)
  return keys
}

function valuesIn(schema: Schema): string[] {
  const {
    enum: values = [],
    const: value,
    anyOf = [],
    items = {},
  } = schema as Schema & { anyOf?: Schema[]; items?: Schema }
  const own = [...values, ...(value === undefined ? [] : [value])].map(String)
  return [...own, ...[...anyOf, items].flatMap((one) => (Object.keys(one).length > 0 ? valuesIn(one) : []))]
}

const KEYS = keysIn(scenario)

/** Before a colon the keys, behind it the values of its key. */
function completeScenario(context: CompletionContext): CompletionResult | null {
  const before = context.state.doc
    .lineAt(context.pos)
    .text.slice(0, context.pos - context.state.doc.lineAt(context.pos).from)
  const word = context.matchBefore(/[\w:*]*$/)
  if (word === null || (word.from === word.to && !context.explicit)) return null
  const [, key] = /(\w+):\s+[[\w:*, '"]*$/.exec(before) ?? []
  const values = key === undefined ? undefined : KEYS.get(key)
  const labels = values === undefined ? [...KEYS.keys()].map((one) => `${one}: `) : [...values]
  return { from: word.from, options: labels.map((label) => ({ label, type: values ? 'constant' : 'property' })) }
}
