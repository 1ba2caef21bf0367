import { isObject } from '../text/json.js'
import { quote } from '../text/wording.js'
import type { Mistake } from './explain.js'

/**
 * Values of a learned file that its own evidence contradicts: someone changed them, so that nobody observed them. What
 * has another type than it should is left to the schema.
 */
export function staleEvidence(data: unknown): readonly Mistake[] {
  if (!isObject(data) || !isObject(data.interpretations) || !isObject(data.evidence)) return []
  const { interpretations, evidence } = data
  return Object.entries(evidence).flatMap(([id, entries]) =>
    (Array.isArray(entries) ? entries : []).flatMap((entry: unknown, at): Mistake[] => {
      if (!isObject(entry) || typeof entry.switch !== 'string' || !('value' in entry)) return []
      const { switch: name, operation, value: seen } = entry
      const value = valueFor(interpretations[name], String(operation), seen)
      if (value === undefined || isAlike(value, seen)) return []
      const path = ['evidence', id, String(at), 'value']
      const message = `The evidence shows ${text(seen)} for ${quote(name)}, but 'interpretations.${name}' is ${text(value)}. Run learn again, or delete the evidence and 'learned' if you set the value yourself.`
      return [{ path, message, about: 'value' }]
    }),
  )
}

/** The value of a switch for an operation, where it has one for each. */
function valueFor(value: unknown, operation: string, seen: unknown): unknown {
  if (!isObject(value) || !(operation in value) || (isObject(seen) && operation in seen)) return value
  return value[operation]
}

function isAlike(one: unknown, other: unknown): boolean {
  if (isObject(one) && isObject(other)) {
    const keys = new Set([...Object.keys(one), ...Object.keys(other)])
    return [...keys].every((key) => isAlike(one[key], other[key]))
  }
  return JSON.stringify(one) === JSON.stringify(other)
}

const text = (value: unknown) => (isObject(value) ? JSON.stringify(value) : quote(value))
