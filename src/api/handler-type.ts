import type { Contract } from '../engine/contract/contract.js'
import type { HandlerCall, OperationHandler } from '../engine/operation.js'
import type { User } from './records.js'
import type { SwitchSettings } from './switches.js'

export type Handler<C extends Contract, Result = undefined> = OperationHandler<C, User, SwitchSettings, Result>

export type CallOf<C extends Contract> = HandlerCall<C, User, SwitchSettings>
