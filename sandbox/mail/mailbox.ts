/** One e-mail as a mail client shows it. */
export interface Mail {
  to: string
  subject: string
  text: string
  html: string
  /** ISO 8601, by the sandbox's clock. */
  date: string
}

/** The oldest e-mails go when there are more. */
const MAILS_MAX = 1000

/** What has arrived, oldest first. */
export interface Mailbox {
  add(mail: Mail): void
  /** The e-mails to one address, compared in lower case, or all of them. */
  list(to: string | undefined): readonly Mail[]
}

/** An empty mailbox for every address. */
export function createMailbox(): Mailbox {
  const mails: Mail[] = []
  return {
    add: (mail) => {
      mails.push(mail)
      if (mails.length > MAILS_MAX) mails.shift()
    },
    list: (to) => (to === undefined ? mails : mails.filter((mail) => mail.to === to.trim().toLowerCase())),
  }
}
