import type { Sandbox } from '../sandbox/sandbox.js'
import type { Html } from './html.js'

export interface Page {
  readonly path: string
  readonly title: string
  /** The record that the page shows, in words. */
  readonly subject: string
  /** Buttons; each is a POST below the path. */
  readonly actions: readonly string[]
  /** Undefined if there is no such record. `here`: the relative URL of the page in its sandbox. */
  readonly show: (sandbox: Sandbox, id: string, here: string) => Html | undefined
  /** Does nothing if the action is no longer possible. */
  readonly act: (sandbox: Sandbox, id: string, action: string) => void
}
