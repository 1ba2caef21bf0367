import { extraFields } from './extra-fields.js'
import { chunked, contentType, headerCase } from './head.js'
import { keyOrder, whiteSpace } from './layout.js'
import { errorBody, status } from './readings.js'
import { timestamps } from './timestamps.js'
import type { Variation } from './variation.js'
import { message, statusWord } from './words.js'

/** Every way in which answers vary, in the order in which they are applied: what is said first, how it is sent last. */
export const variations: readonly Variation[] = [
  status,
  errorBody,
  message,
  statusWord,
  timestamps,
  keyOrder,
  extraFields,
  whiteSpace,
  contentType,
  headerCase,
  chunked,
]
