import { setTimeout as sleep } from 'node:timers/promises'
import type { Target } from './target.js'

const PAUSE = 250

/** Waits up to some seconds until something answers, and not for a service behind it that is down. */
export async function waitUntilUp({ url, timeout }: Target, seconds: number): Promise<void> {
  const end = performance.now() + seconds * 1_000
  while (performance.now() < end) {
    // A signal takes whole milliseconds only.
    const left = Math.max(1, Math.ceil(Math.min(timeout, end - performance.now())))
    if (await isUp(url, AbortSignal.timeout(left))) return
    await sleep(Math.max(0, Math.min(PAUSE, end - performance.now())))
  }
}

async function isUp(url: string, signal: AbortSignal): Promise<boolean> {
  try {
    const response = await fetch(url, { redirect: 'manual', signal })
    await response.body?.cancel()
    return response.status < 502 || response.status > 504
  } catch {
    return false
  }
}
