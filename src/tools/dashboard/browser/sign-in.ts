/** Milliseconds before the next reload: a page that asks for no token would reload endlessly. */
const PATIENCE = 10_000
const KEY = 'signed-out'

export function signInAgain(): void {
  const { at } = sentAway()
  if (Date.now() - at < PATIENCE) return
  sessionStorage.setItem(KEY, JSON.stringify({ at: Date.now(), hash: location.hash }))
  location.reload()
}

export function comeBack(): void {
  const { hash } = sentAway()
  if (hash === '' || location.hash !== '') return
  sessionStorage.setItem(KEY, JSON.stringify({ at: 0, hash: '' }))
  location.replace(hash)
}

function sentAway(): { readonly at: number; readonly hash: string } {
  return JSON.parse(sessionStorage.getItem(KEY) ?? '{"at":0,"hash":""}')
}
