/** The check stands outside http, since providers are held against it too. */
export { checkBody } from '../deviations.js'
