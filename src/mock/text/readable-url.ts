import { USER_TYPE, USER_TYPE_NAME } from '../../../schemas/user-type.js'
import { safeDecodeURIComponent } from './safe-decode.js'

/** A URL as people read it: its query decoded, without the parameter that nearly every call has. */
export function readableUrl(url: string): string {
  const [path = '', query = ''] = url.split(/\?(.*)/s)
  const pairs = query.split('&').filter((pair) => pair !== '' && pair !== `${USER_TYPE_NAME}=${USER_TYPE}`)
  const decoded = pairs.map((pair) => safeDecodeURIComponent(pair.replaceAll('+', ' ')))
  return decoded.length === 0 ? path : `${path}?${decoded.join('&')}`
}
