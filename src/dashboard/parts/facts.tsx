import type { ComponentChildren } from 'preact'
import type { FileEntry } from '../../world/journal/exchange.js'
import { visible } from './code.js'

/** Names with their values. */
export function Facts({ of }: { readonly of: Readonly<Record<string, unknown>> }) {
  return (
    <dl class="facts">
      {Object.entries(of).map(([name, value]) => (
        <div key={name}>
          <dt>
            <bdi>{visible(name)}</bdi>
          </dt>
          <dd>
            <Value of={value} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Value({ of }: { readonly of: unknown }): ComponentChildren {
  if (Array.isArray(of)) return of.map((one, at) => <Value key={at} of={one} />)
  if (isFile(of)) {
    return (
      <span class="file-value">
        <bdi>{visible(of.filename) || 'no file name'}</bdi>
        <span class="quiet">
          {of.mimetype} · {of.size.toLocaleString()} bytes
        </span>
        <code class="quiet digest">sha256 {of.sha256}</code>
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
