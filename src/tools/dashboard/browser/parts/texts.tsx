import { type ComponentChildren, isValidElement } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { FileEntry } from '../../../../engine/contract/fields.js'
import type { ClockView } from '../../../../engine/http/admin/clock.js'
import type { ListedExchange } from '../journal.js'

const LONGEST_LINE = 300

/** Shows control characters and marks of direction. */
export function reveal(text: string): string {
  return text.replace(
    /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

export function pluralize(count: number, noun: string): string {
  return `${count.toLocaleString()} ${noun}${count === 1 ? '' : 's'}`
}

export function Line({ text, class: kind = '' }: { readonly text: string; readonly class?: string }) {
  return <bdi class={`line ${kind}`}>{reveal(text.slice(0, LONGEST_LINE))}</bdi>
}

interface TitledProps {
  readonly title: string
  readonly children: ComponentChildren
}

export function Code({ title, children }: TitledProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    <section class="code" tabIndex={0} aria-label={title}>
      <pre>
        <code>{children}</code>
      </pre>
    </section>
  )
}

export function Body({ title, of }: { readonly title: string; readonly of: unknown }) {
  return <Code title={title}>{reveal(textOf(of, 2))}</Code>
}

export function Section({ title, level: Heading = 'h3', children }: TitledProps & { readonly level?: 'h2' | 'h3' }) {
  return (
    <section aria-label={title}>
      <Heading>{title}</Heading>
      {children}
    </section>
  )
}

/** Without a status, there is no answer yet, a fault, or the client has hung up. */
export function statusText({ status, fault, duration }: Pick<ListedExchange, 'status' | 'fault' | 'duration'>): string {
  if (duration === null) return 'pending'
  return String(status ?? (fault === null ? 'aborted' : 'fault'))
}

export function Status({ of }: { readonly of: string | number }) {
  return <span class={`status s${of === 'pending' ? 1 : (/^\d/.exec(String(of)) ?? 5)}`}>{of}</span>
}

/** By the browser's clock. */
export function Waiting({ received = 0, elapsed = 0 }: { readonly received?: number; readonly elapsed?: number }) {
  const start = useRef(performance.now() - elapsed)
  const [now, setNow] = useState(() => performance.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), 500)
    return () => clearInterval(timer)
  }, [])
  return (
    <span>
      {received > 0 && `${pluralize(received, 'byte')} received, `}
      {((now - start.current) / 1_000).toFixed(1)} s so far
    </span>
  )
}

export function Badge({ kind, text = kind }: { readonly kind: string | undefined; readonly text?: string }) {
  return kind && <span class={`badge ${kind}`}>{text}</span>
}

export function Details({ title, of }: { title: string; of: Readonly<Record<string, unknown>> }) {
  return (
    <details>
      <summary>{title}</summary>
      <Facts of={of} />
    </details>
  )
}

export function Facts({ of }: { readonly of: Readonly<Record<string, unknown>> }) {
  return (
    <dl>
      {Object.entries(of).map(([name, value]) => (
        <div key={name}>
          <dt>
            <bdi>{reveal(name)}</bdi>
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
  if (isValidElement(of)) return of
  if (isFile(of)) {
    return (
      <>
        <bdi>{reveal(of.filename) || 'no file name'}</bdi>
        <span class="quiet">{`${of.mimetype} · ${of.size.toLocaleString()} bytes`}</span>
        <br />
        <code class="quiet">sha256 {of.sha256}</code>
      </>
    )
  }
  const text = textOf(of)
  return <bdi dir="auto">{text === '' ? <i class="quiet">empty</i> : reveal(text)}</bdi>
}

export function textOf(value: unknown, indent?: number): string {
  return typeof value === 'string' ? value : (JSON.stringify(value, null, indent) ?? '')
}

function isFile(value: unknown): value is FileEntry {
  return typeof value === 'object' && value !== null && 'filename' in value && 'sha256' in value
}

const timeOfDay = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' })
const dayAndMinute = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' })

function describeTime(at: string): string {
  const time = new Date(at)
  return (time.toDateString() === new Date().toDateString() ? timeOfDay : dayAndMinute).format(time)
}

export function Time({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={at}>
      {describeTime(at)}
    </time>
  )
}

/** `frozen at 15 Jan, 09:30`, `2 days ahead`, or empty. */
export function describeClock({ now, frozen, offset }: ClockView): string {
  return frozen ? `frozen at ${dayAndMinute.format(new Date(now))}` : describeOffset(offset)
}

export function describeOffset(offset: number): string {
  return offset === 0 ? '' : `${describeDuration(Math.abs(offset))} ${offset > 0 ? 'ahead' : 'behind'}`
}

/** Its two largest units. */
function describeDuration(ms: number): string {
  // Offsets may be a few milliseconds short.
  const minutes = Math.round(ms / 60_000)
  const units = { day: Math.floor(minutes / 1_440), hour: Math.floor(minutes / 60) % 24, minute: minutes % 60 }
  const parts = Object.entries(units).filter(([, count]) => count > 0)
  const [first = 'less than a minute', ...rest] = parts.map(([unit, count]) => pluralize(count, unit))
  return [first, ...rest.slice(0, 1)].join(' ')
}
