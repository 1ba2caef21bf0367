/** Headers of one connection (RFC 9110, section 7.6.1), which a proxy does not pass on. */
export const HOP_BY_HOP = /^(?:connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade)$/i
