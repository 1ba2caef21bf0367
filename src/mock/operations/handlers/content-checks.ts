/** One line for each operation that has a check. */
export { checkImage as uploadSignature } from './upload-signature.js'
export { checkDocument as verifyDocument } from './verify-document.js'
