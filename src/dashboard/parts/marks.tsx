import { visible } from './code.js'

/** Characters of a text that a line shows. */
const MOST = 300

/** A user's text on one line, isolated from what stands around it. */
export function Line({ text }: { readonly text: string }) {
  return <bdi class="line-text">{visible(text.slice(0, MOST))}</bdi>
}

/** A path, which may break after each slash. */
export function Path({ of }: { readonly of: string }) {
  const pieces = visible(of.slice(0, MOST)).split(/(?<=\/)/)
  return <bdi>{pieces.flatMap((piece, at) => [piece, <wbr key={at} />])}</bdi>
}

export function Method({ name }: { readonly name: string }) {
  return <span class={`method ${METHODS.has(name) ? name.toLowerCase() : ''}`}>{name}</span>
}

const METHODS: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])

/** A status, or the fault that took its place. */
export function Status({ status, fault }: { readonly status: number | null; readonly fault?: string | null }) {
  if (status !== null) return <span class={`status s${Math.floor(status / 100)}`}>{status}</span>
  return (
    <span class="status s5" title={fault ?? 'under way'}>
      {fault === null || fault === undefined ? '…' : 'fault'}
    </span>
  )
}

/** What something rests on, or where it comes from. */
export function Badge({ kind, text = kind }: { readonly kind: string; readonly text?: string }) {
  return <span class={`badge ${kind}`}>{text}</span>
}

const clockTime = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
})
const dayAndTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })

const shortDay = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})

const isToday = (time: Date) => time.toDateString() === new Date().toDateString()

/** A time of day, with its date unless that is today's. */
export function Time({ at, day = false }: { readonly at: string; readonly day?: boolean }) {
  const time = new Date(at)
  if (Number.isNaN(time.getTime())) return <span>{at}</span>
  return (
    <time dateTime={at} title={at}>
      {(day ? dayAndTime : isToday(time) ? clockTime : shortDay).format(time)}
    </time>
  )
}

export function Duration({ of }: { readonly of: number | null }) {
  return <>{of === null ? '' : `${of < 10 ? Math.round(of * 10) / 10 : Math.round(of)} ms`}</>
}

/** A number with the right form of its noun. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString()} ${noun}${count === 1 ? '' : 's'}`
}
