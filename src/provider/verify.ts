import { checkAnswer, type Finding, type Redact } from './check-answer.js'
import type { Probe } from './probes.js'
import { sendProbe, type Target } from './send.js'

export type Verdict = 'ok' | Finding['outcome']

/** What came of one probe. */
export interface Result {
  readonly probe: Probe
  readonly verdict: Verdict
  readonly findings: readonly Finding[]
  /** Milliseconds. */
  readonly duration: number
}

/** Sends the probes one after the other, and checks each answer; ends early where nothing is there to answer. */
export async function verifyProvider(probes: readonly Probe[], target: Target): Promise<readonly Result[]> {
  const redact = without(target.token)
  const results: Result[] = []
  let reached = false
  for (const probe of probes) {
    const start = performance.now()
    const answer = await sendProbe(probe, target)
    const findings: readonly Finding[] =
      'problem' in answer
        ? [{ outcome: 'failed', where: 'connection', message: String(redact(answer.problem)) }]
        : checkAnswer(probe, answer, redact)
    results.push({ probe, verdict: verdictOf(findings), findings, duration: performance.now() - start })
    reached ||= !('problem' in answer) || answer.reached
    if (!reached) break
  }
  return results
}

function verdictOf(findings: readonly Finding[]): Verdict {
  if (findings.length === 0) return 'ok'
  return findings.some(({ outcome }) => outcome === 'failed') ? 'failed' : 'differs'
}

const REDACTED = '[redacted]'

/** A provider may say the token back: it is taken out of whatever is quoted. */
function without(token: string): Redact {
  const forms = [token, JSON.stringify(token).slice(1, -1), encodeURIComponent(token)]
  const redact: Redact = (value) => {
    if (typeof value === 'string') return forms.reduce((text, form) => text.replaceAll(form, REDACTED), value)
    if (typeof value === 'number') return String(value).includes(token) ? REDACTED : value
    if (Array.isArray(value)) return value.map(redact)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [redact(key), redact(one)]))
  }
  return redact
}
