import type { Contract } from '../../../schemas/contract.js'
import type { User } from '../../../schemas/fixtures.js'
import { type Call, reply as declare, type Handler } from '../../handler.js'
import { declared, type Outgoing } from '../deliver.js'
import { save } from '../save.js'
import { afterwards } from './play-scenario.js'
import type { Step } from './step.js'

/** The operation takes place, and what it changed is stored before its answer leaves. */
export const operate: Step = async ({ request, exchange, operation }) => {
  const { world } = exchange
  const call: Call<Contract> = {
    params: exchange.params,
    query: exchange.query,
    form: (exchange.form ?? {}) as never,
    user: exchange.user as User,
    world,
    baseUrl: baseUrl(request.headers.host, world.prefix, request.socket),
  }
  const { status, body } = await (operation.handler as Handler<Contract>)(call, declare)
  await save(world)
  return afterwards(exchange, withHeaders(declared(exchange, status, body), exchange.extraHeaders))
}

function withHeaders(outgoing: Outgoing, headers: Outgoing['headers']): Outgoing {
  return headers === undefined ? outgoing : { ...outgoing, headers }
}

const HOST = /^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/

/** Where the caller reached this world: by the Host header, unless that is no host. */
function baseUrl(host: string | undefined, prefix: string, { localPort }: { localPort?: number }): string {
  return `http://${host !== undefined && HOST.test(host) ? host : `127.0.0.1:${localPort ?? 80}`}${prefix}`
}
