import { integer, wordList } from '../../../../kernel/env.js'

/** 0 to 60. */
const DAYS = /^(\d|[1-5]\d|60)$/

/** The settings of the e-mails to payers of subscriptions. */
export const SUBSCRIPTION_MAIL_VARIABLES = {
  subscriptionReminderDays: wordList(
    'SUBSCRIPTION_REMINDER_DAYS',
    'days after a due date on which a payer is reminded by e-mail; 0 is never',
    DAYS,
    ['3', '6'],
  ),
  subscriptionPastDueDays: integer(
    'SUBSCRIPTION_PAST_DUE_DAYS',
    'days after which a subscription that is not charged, and whose payer was asked by e-mail, is past due; 0 is never',
    0,
    0,
    60,
  ),
  subscriptionMailsPerHour: integer(
    'SUBSCRIPTION_MAILS_PER_HOUR',
    'e-mails an hour to the payers of one tenant; the others wait. 0 sends none',
    500,
    0,
    1_000_000,
  ),
}

/** When payers are asked, and how many e-mails a tenant may have sent. */
export interface MailRules {
  /** Days after the due date, ascending. */
  reminderDays: readonly number[]
  /** 0 is never. */
  pastDueDays: number
  perHour: number
}

/** The rules that the environment says. */
export function mailRulesOf(env: {
  subscriptionReminderDays: readonly string[]
  subscriptionPastDueDays: number
  subscriptionMailsPerHour: number
}): MailRules {
  const days = new Set(env.subscriptionReminderDays.map(Number))
  const reminderDays = [...days].filter((day) => day > 0).toSorted((one, other) => one - other)
  return { reminderDays, pastDueDays: env.subscriptionPastDueDays, perHour: env.subscriptionMailsPerHour }
}
