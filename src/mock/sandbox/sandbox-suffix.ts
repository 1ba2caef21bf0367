import type { User } from '../../../schemas/fixtures.js'
import type { State } from './state/state.js'

/** Splits at the last `~`; undefined without one. */
export function splitSandboxSuffix(token: string): { readonly token: string; readonly sandbox: string } | undefined {
  const at = token.lastIndexOf('~')
  return at < 0 ? undefined : { token: token.slice(0, at), sandbox: token.slice(at + 1) }
}

export function userOfToken({ state }: { readonly state: State }, token: string): User | undefined {
  const users = state.collection('users').all()
  return users.find((user) => user.token === token)
}

/** A token without the ending that names its sandbox, unless a user has it with the ending. */
export function stripSandboxSuffix(
  sandbox: { readonly name: string | null; readonly state: State },
  token: string,
): string {
  const ending = splitSandboxSuffix(token)
  const isNamed = ending !== undefined && ending.sandbox === sandbox.name && userOfToken(sandbox, token) === undefined
  return isNamed ? ending.token : token
}
