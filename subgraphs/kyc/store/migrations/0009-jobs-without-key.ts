import { retryForGood } from '../../../../kernel/retry-for-good.js'

/**
 * Jobs of before 0006 are not found where they are lost: their callbacks do not say which session they are about, and of erased
 * sessions the provider's id is in the job alone. They are not to be lost then.
 */
export const retryJobsWithoutKey = [retryForGood(['process-kyc-callback', 'forget-kyc-session'])]
