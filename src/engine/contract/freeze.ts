/** Creates no lists of keys: files may have a million records. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  if (Array.isArray(value)) for (const item of value) deepFreeze(item)
  else for (const key in value) deepFreeze(value[key])
  return Object.freeze(value)
}
