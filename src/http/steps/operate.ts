import type { Contract } from '../../../schemas/contract.js'
import type { User } from '../../../schemas/fixtures.js'
import { type Call, reply as declare, type Handler } from '../../handler.js'
import { baseUrlOf } from '../base-url.js'
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
    baseUrl: baseUrlOf(request, world),
  }
  const { status, body } = await (operation.handler as Handler<Contract>)(call, declare)
  await save(world)
  return afterwards(exchange, withHeaders(declared(exchange, status, body), exchange.extraHeaders))
}

function withHeaders(outgoing: Outgoing, headers: Outgoing['headers']): Outgoing {
  return headers === undefined ? outgoing : { ...outgoing, headers }
}
