/** What stands between client and service may answer so at any time, whatever an operation declares. */
export const GATEWAY_STATUSES = [429, 500, 502, 503, 504] as const

/** The outcome that such an answer has, and the scenario that forces it. */
export const gatewayId = (status: number) => `gateway:${status}`

export const gatewayIds: readonly string[] = GATEWAY_STATUSES.map(gatewayId)

/** Whether it is a gateway that answers a call of an operation so, since the operation itself does not. */
export function isGatewayStatus({ responses }: { readonly responses: object }, status: number): boolean {
  return !(status in responses) && (GATEWAY_STATUSES as readonly number[]).includes(status)
}
