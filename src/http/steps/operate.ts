import type { Contract } from '../../../schemas/contract.js'
import type { User } from '../../../schemas/fixtures.js'
import type { Exchange } from '../../exchange.js'
import { type Answer, type Call, reply } from '../../handler.js'
import { baseUrlOf } from '../base-url.js'
import { declared, type Outgoing } from '../deliver.js'
import { save } from '../save.js'
import { afterwards } from './play-scenario.js'
import type { Step } from './step.js'

/** The operation takes place, and what it changed is stored before its answer leaves. */
export const operate: Step = ({ request, exchange, operation }) => {
  const { world } = exchange
  const call: Call<Contract> = {
    params: exchange.params,
    query: exchange.query,
    form: (exchange.form ?? {}) as never,
    user: exchange.user as User,
    world,
    get baseUrl() {
      return baseUrlOf(request, world)
    },
  }
  const answer = operation.handler(call, reply)
  return answer instanceof Promise ? answer.then((later) => stored(exchange, later)) : stored(exchange, answer)
}

function stored(exchange: Exchange, answer: Answer): Outgoing | Promise<Outgoing> {
  const { world } = exchange
  if (!world.state.unsaved) return outgoing(exchange, answer)
  return save(world).then(() => outgoing(exchange, answer))
}

function outgoing(exchange: Exchange, { status, body }: Answer): Outgoing {
  const { extraHeaders } = exchange
  const answer = declared(exchange, status, body)
  return afterwards(exchange, extraHeaders === undefined ? answer : { ...answer, headers: extraHeaders })
}
