import type { Contract } from '../engine/contract/contract.js'
import type { HandlerCall, OperationHandler } from '../engine/operation.js'
import type { User } from './records.js'
import type { SwitchSettings } from './switches.js'

export type Handler<C extends Contract, Found = undefined> = OperationHandler<C, User, SwitchSettings, Found>

export type CallOf<C extends Contract> = HandlerCall<C, User, SwitchSettings>
