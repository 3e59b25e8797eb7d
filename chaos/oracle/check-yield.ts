import type { Finding } from '../view.js'
import { finding, forEach, type Check } from './evidence.js'
import { solanaTruth } from './solana-truth.js'

/** A broadcast that was answered as successful is on the chain. */
export const checkYield: Check = async ({ journal, view }) => {
  const truth = solanaTruth(view)
  const found: Finding[] = []
  const answered = journal.filter(({ operation, status }) => operation === 'broadcast-yield' && status === 200)
  await forEach(answered, async ({ id = '', answer }) => {
    const { data } = answer as { data?: { status?: number } }
    const outcome = await truth.outcomeOf(id)
    if (data?.status === 1 && outcome !== 'success') {
      found.push(
        finding('acknowledged', `broadcast ${id}, answered as successful`, 'on the chain', outcome ?? 'not there'),
      )
    }
  })
  return found
}
