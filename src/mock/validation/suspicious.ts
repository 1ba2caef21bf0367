import { isObject, objectIn } from '../text/json.js'

/** A UUID in braces, as GUIDs are written, is none; nor is `Null`, which may be a surname. */
const PLACEHOLDER = /^(?:undefined|null|NaN|\[object \w+\]|<[^<>]+>|\$?\{+(?![\da-fA-F]{8}-)[^{}]*\}+|\$[A-Za-z_]\w*)$/

export function isPlaceholder(value: string): boolean {
  return PLACEHOLDER.test(value)
}

export function isBlank(value: unknown): boolean {
  return typeof value === 'string' && value.trim() === ''
}

/** The value of a text that is surely JSON; `[2024]` may be plain text. */
export function jsonIn(text: string): object | undefined {
  const value = objectIn(text)
  const isSure = !Array.isArray(value) || value.some((one) => typeof one === 'string' || isObject(one))
  return isSure ? value : undefined
}
