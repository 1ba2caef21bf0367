/** Milliseconds in which the page is not loaded again: one that never asks for a token would be loaded for ever. */
const PATIENCE = 10_000
/** Where a tab keeps when it was sent away, and from which address. */
const KEY = 'signed-out'

/** Loads the page again: the server sends a form that asks for the token in its place. */
export function signInAgain(): void {
  const { at } = sentAway()
  if (Date.now() - at < PATIENCE) return
  sessionStorage.setItem(KEY, JSON.stringify({ at: Date.now(), hash: location.hash }))
  location.reload()
}

/** Goes back to the address that somebody had to sign in for. */
export function comeBack(): void {
  const { hash } = sentAway()
  if (hash === '' || location.hash !== '') return
  sessionStorage.setItem(KEY, JSON.stringify({ at: 0, hash: '' }))
  location.replace(hash)
}

function sentAway(): { readonly at: number; readonly hash: string } {
  return JSON.parse(sessionStorage.getItem(KEY) ?? '{"at":0,"hash":""}')
}
