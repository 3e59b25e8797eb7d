import type { Finding } from '../view.js'
import { finding, readAs, type Check } from './evidence.js'

/** Whom the verification provider has approved is approved. */
export const checkPeople: Check = async ({ journal, view }) => {
  const found: Finding[] = []
  const decided = journal.filter(({ operation, status }) => operation === 'decide-kyc' && status < 300)
  for (const { id = '', tenantId } of decided) {
    const tenant = view.tenants.find((one) => one.id === tenantId)
    if (!tenant) continue
    const answer = await readAs(view, tenant, `/kyc/status?${new URLSearchParams({ email: id }).toString()}`)
    const is = `${answer?.status ?? 0} ${String(answer?.data['approved'])}`
    if (is !== '200 true') found.push(finding('acknowledged', `the approval of ${id}`, '200 true', is))
  }
  return found
}
