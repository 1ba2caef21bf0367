/** The value of a JSON text; `otherwise` for a text that is not JSON. */
export function jsonOr<T>(text: string, otherwise: T): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return otherwise
  }
}
