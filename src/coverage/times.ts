/** How often something was, in words. */
export function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`
}
