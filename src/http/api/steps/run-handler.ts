import type { Contract } from '../../../../schemas/contract.js'
import type { User } from '../../../../schemas/fixtures.js'
import { type Call, type DeclaredReply, reply } from '../../../operations/handler.js'
import type { Exchange } from '../../../world/journal/exchange.js'
import type { World } from '../../../world/world.js'
import { baseUrlOf } from '../../base-url.js'
import { save } from '../../save.js'
import { declared, type Outgoing } from '../deliver.js'
import { afterwards } from './play-scenario.js'
import type { Step } from './step.js'

/** The operation takes place, and what it changed is stored before its answer leaves. */
export const runHandler: Step = ({ exchange, operation }) => {
  const call = new ExchangeCall(exchange)
  const answer = operation.handler(call, reply)
  return answer instanceof Promise ? answer.then((later) => stored(exchange, later)) : stored(exchange, answer)
}

/** An exchange as a handler sees it; a class, since each object written out with a getter gets a shape of its own. */
class ExchangeCall implements Call<Contract> {
  readonly params: Call<Contract>['params']
  readonly query: Call<Contract>['query']
  readonly form: Call<Contract>['form']
  readonly user: User
  readonly world: World
  readonly #exchange: Exchange

  constructor(exchange: Exchange) {
    this.params = exchange.params
    this.query = exchange.query
    this.form = (exchange.form ?? NOTHING) as never
    this.user = exchange.user as User
    this.world = exchange.world
    this.#exchange = exchange
  }

  get baseUrl(): string {
    return baseUrlOf(this.#exchange, this.world)
  }
}

const NOTHING = Object.freeze({})

function stored(exchange: Exchange, answer: DeclaredReply): Outgoing | Promise<Outgoing> {
  const { world } = exchange
  if (!world.state.unsaved) return outgoing(exchange, answer)
  return save(world).then(() => outgoing(exchange, answer))
}

function outgoing(exchange: Exchange, { status, body }: DeclaredReply): Outgoing {
  const { extraHeaders } = exchange
  const answer = declared(exchange, status, body)
  return afterwards(exchange, extraHeaders === undefined ? answer : { ...answer, headers: extraHeaders })
}
