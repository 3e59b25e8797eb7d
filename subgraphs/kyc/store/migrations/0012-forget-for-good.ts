import { retryForGood } from '../../../../kernel/retry-for-good.js'

/** What deliveries have told of an erased person is forgotten for as long as it takes, and where it was given up. */
export const forgetForGood = [retryForGood(['forget-deliveries'])]
