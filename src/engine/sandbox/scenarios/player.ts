import { type Delay, LONGEST_DELAY_MS } from '../../files/scenario.js'
import type { ReceivedRequest } from '../../judge/received-request.js'
import { seededNumber } from '../seeded.js'
import { type CompiledRule, FIRST_STATE, isSameDefinition, type Scenario } from './scenario.js'

interface ScenarioRun {
  readonly scenario: Scenario
  state: string
  readonly answered: number[]
  readonly drawn: number[]
}

export interface RuleMatch {
  readonly cause: `scenario:${string}`
  readonly rule: CompiledRule
  readonly delay: number
  /** Uses up the rule and moves the scenario on; returns a rollback. */
  readonly consume: () => () => void
}

export class ScenarioPlayer {
  readonly #runs = new Map<string, ScenarioRun>()
  /** True if a scenario was switched since the start, the last reset or the last edit of the config file. */
  wasSwitched = false

  constructor(
    private readonly find: (name: string) => Scenario | undefined,
    public active: readonly string[],
    private readonly seed: string,
    private readonly changed: () => void,
  ) {}

  get isIdle(): boolean {
    return this.active.length === 0
  }

  activate(name: string): void {
    const isTemporary = this.#isTemporary(name)
    const active = new Set(isTemporary ? [name, ...this.active] : [...this.active, name])
    this.setActive([...active], !isTemporary || this.wasSwitched)
  }

  deactivate(name: string): void {
    const others = this.active.filter((active) => active !== name)
    this.setActive(others, !this.#isTemporary(name) || this.wasSwitched)
  }

  /** Rules for the next calls switch themselves off, and leave the others as the config file has them. */
  #isTemporary(name: string): boolean {
    return this.find(name)?.offWhenSpent === true
  }

  setActive(active: readonly string[], wasSwitched = false): void {
    // A scenario that is switched on again starts over.
    for (const name of this.active) if (!active.includes(name)) this.#runs.delete(name)
    this.active = active
    this.wasSwitched = wasSwitched
    this.changed()
  }

  stateOf(scenario: Scenario): string {
    return this.#findRun(scenario)?.state ?? FIRST_STATE
  }

  answered(scenario: Scenario, rule: number): number {
    return this.#findRun(scenario)?.answered[rule] ?? 0
  }

  setState(scenario: Scenario, state: string): void {
    this.#runOf(scenario).state = state
    this.changed()
  }

  /** Starts one scenario over, or all of them; does not switch them on or off. */
  rewind(name?: string): void {
    if (name === undefined) this.#runs.clear()
    else this.#runs.delete(name)
    this.changed()
  }

  reset(active: readonly string[]): void {
    this.#runs.clear()
    this.setActive(active)
  }

  /** Gateway statuses come before other outcomes. */
  matchOutcome(operation: string, preferred: string | undefined): RuleMatch | undefined {
    const isForced = ({ forces }: Scenario) => forces !== undefined && (forces.operation ?? operation) === operation
    const forcing = this.#scenarios(preferred).filter(isForced)
    const gateway = forcing.find(({ forces }) => forces?.operation === undefined)
    const scenario = forcing.find(({ name }) => name === preferred) ?? gateway ?? forcing[0]
    return scenario && this.#match(this.#runOf(scenario), 0)
  }

  matchRule(operation: string, request: ReceivedRequest, preferred: string | undefined): RuleMatch | undefined {
    return this.#matchFirst(this.#scenarios(preferred), operation, request)
  }

  matchNextCall(operation: string, request: ReceivedRequest): RuleMatch | undefined {
    const temporary = this.#scenarios(undefined).filter(({ offWhenSpent }) => offWhenSpent === true)
    return this.#matchFirst(temporary, operation, request)
  }

  #matchFirst(scenarios: readonly Scenario[], operation: string, request: ReceivedRequest): RuleMatch | undefined {
    for (const scenario of scenarios) {
      const run = this.#runOf(scenario)
      const rule = scenario.rules.findIndex((_, at) => this.#fits(run, at, operation, request))
      if (rule >= 0) return this.#match(run, rule)
    }
    return undefined
  }

  #scenarios(preferred: string | undefined): Scenario[] {
    const names = new Set(preferred === undefined ? this.active : [preferred, ...this.active])
    return [...names].flatMap((name) => this.find(name) ?? [])
  }

  #runOf(scenario: Scenario): ScenarioRun {
    const existing = this.#findRun(scenario)
    if (existing?.scenario === scenario) return existing
    const run = { state: FIRST_STATE, answered: [], drawn: [], ...existing, scenario }
    this.#runs.set(scenario.name, run)
    return run
  }

  /** A redefined scenario starts over, except if its definition was only saved as a file. */
  #findRun(scenario: Scenario): ScenarioRun | undefined {
    const run = this.#runs.get(scenario.name)
    if (run === undefined || run.scenario === scenario) return run
    const isSaved = run.scenario.source === 'defined' && scenario.source === 'file'
    return isSaved && isSameDefinition(run.scenario, scenario) ? run : undefined
  }

  #fits(run: ScenarioRun, at: number, operation: string, request: ReceivedRequest): boolean {
    const { scenario, answered, drawn, state } = run
    const { on, times, chance, when, matches } = scenario.rules[at] as CompiledRule
    if (on !== '*' && !on.includes(operation)) return false
    if (times !== undefined && (answered[at] ?? 0) >= times) return false
    if (when?.state !== undefined && when.state !== state) return false
    if (!matches(request)) return false
    if (chance === undefined) return true
    drawn[at] = (drawn[at] ?? 0) + 1
    return seededNumber(this.seed, 'chance', scenario.name, at, drawn[at]) < chance
  }

  #enter(run: ScenarioRun, state: string): void {
    if (run.state === state) return
    run.state = state
    this.changed()
  }

  #match(run: ScenarioRun, at: number): RuleMatch {
    const { scenario, answered } = run
    const rule = scenario.rules[at] as CompiledRule
    const nth = (answered[at] ?? 0) + 1
    return {
      cause: `scenario:${scenario.name}#${at + 1}`,
      rule,
      delay: drawDelay(rule.answer.delay, (draw) => seededNumber(this.seed, 'delay', scenario.name, at, nth, draw)),
      consume: () => {
        answered[at] = (answered[at] ?? 0) + 1
        const before = run.state
        const isLast = answered[at] === rule.times
        if (isLast || rule.times === undefined) this.#enter(run, rule.then ?? before)
        const isOver = isLast && scenario.offWhenSpent === true && isSpent(run)
        if (isOver) this.deactivate(scenario.name)
        else this.changed()
        return () => {
          answered[at] = (answered[at] as number) - 1
          if (run.state === rule.then) this.#enter(run, before)
          if (!isOver) return
          this.activate(scenario.name)
          this.#runs.set(scenario.name, run)
        }
      },
    }
  }
}

function isSpent({ scenario, answered }: ScenarioRun): boolean {
  return scenario.rules.every(({ times = Number.POSITIVE_INFINITY }, at) => (answered[at] ?? 0) >= times)
}

function drawDelay(delay: Delay | undefined, draw: (nth: number) => number): number {
  if (delay === undefined) return 0
  if (typeof delay === 'number') return delay
  if ('uniform' in delay) return delay.uniform.lower + draw(1) * (delay.uniform.upper - delay.uniform.lower)
  const { median, sigma } = delay.lognormal
  const normal = Math.sqrt(-2 * Math.log(1 - draw(1))) * Math.cos(2 * Math.PI * draw(2))
  return Math.min(LONGEST_DELAY_MS, median * Math.exp(sigma * normal))
}
