import type { ComponentChildren } from 'preact'
import type { FileEntry } from '../../../../engine/judge/received-request.js'

const MOST = 300

/** Escapes control characters and those that change the direction of text. */
export function visible(text: string): string {
  return text.replace(
    /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

export function counted(count: number, noun: string): string {
  return `${count.toLocaleString()} ${noun}${count === 1 ? '' : 's'}`
}

export function Code({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    <section class="code" tabIndex={0} aria-label={label}>
      <pre>
        <code>{children}</code>
      </pre>
    </section>
  )
}

export function Line({ text }: { readonly text: string }) {
  return <bdi class="line-text">{visible(text.slice(0, MOST))}</bdi>
}

export function Path({ of }: { readonly of: string }) {
  const pieces = visible(of.slice(0, MOST)).split(/(?<=\/)/)
  return <bdi>{pieces.flatMap((piece, at) => [piece, <wbr key={at} />])}</bdi>
}

export function Method({ name }: { readonly name: string }) {
  return <span class="method">{name}</span>
}

interface AnsweredAs {
  readonly status: number | null
  readonly fault: string | null
  readonly duration: number | null
}

/** A status; without one, there is no answer yet, or a fault or a client that hung up ended the exchange. */
export function statusText({ status, fault, duration }: AnsweredAs): string {
  if (duration === null) return 'pending'
  return String(status ?? (fault === null ? 'aborted' : 'fault'))
}

export function describePending({
  received,
  elapsed,
}: {
  readonly received: number
  readonly elapsed: number
}): string {
  const bytes = received === 0 ? '' : `${counted(received, 'byte')} received, `
  return `${bytes}${(elapsed / 1_000).toFixed(1)} s so far`
}

export function Status({ of }: { readonly of: string | number }) {
  return <span class={`status s${of === 'pending' ? 1 : (/^\d/.exec(String(of)) ?? 5)}`}>{of}</span>
}

export function Badge({ kind, text = kind }: { readonly kind: string | undefined; readonly text?: string }) {
  return kind && <span class={`badge ${kind}`}>{text}</span>
}

export function Facts({ of }: { readonly of: Readonly<Record<string, unknown>> }) {
  return (
    <dl class="facts">
      {Object.entries(of).map(([name, value]) => (
        <div key={name}>
          <dt>
            <bdi>{visible(name)}</bdi>
          </dt>
          <dd>
            {[value].flat().map((one, at) => (
              <Value key={at} of={one} />
            ))}
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Value({ of }: { readonly of: unknown }) {
  if (isFile(of)) {
    return (
      <span class="file-value">
        <bdi>{visible(of.filename) || 'no file name'}</bdi>
        <span class="quiet">
          {of.mimetype} · {of.size.toLocaleString()} bytes
        </span>
        <code class="quiet">sha256 {of.sha256}</code>
      </span>
    )
  }
  const text = typeof of === 'string' ? of : JSON.stringify(of)
  return (
    <bdi class="value" dir="auto">
      {text === '' ? <i class="quiet">empty</i> : visible(text)}
    </bdi>
  )
}

function isFile(value: unknown): value is FileEntry {
  return typeof value === 'object' && value !== null && 'filename' in value && 'sha256' in value
}
