/** Makes the next calls of a simulator fail: all ten for `down`, one for the others. */
export async function fault(simulatorUrl: string, mode: 'down' | 'slow' | 'error' | 'ok'): Promise<void> {
  await fetch(`${simulatorUrl}/sandbox/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    // Longer than the product waits for a provider.
    body: JSON.stringify({ mode, times: mode === 'down' ? 10 : 1, ms: 11_000 }),
  })
}
