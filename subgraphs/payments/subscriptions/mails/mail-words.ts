/** The languages of e-mails to payers: those of the payment page. */
export type MailLanguage = 'pt' | 'en' | 'es'

/** What an e-mail is about: what is due, also after a trial; a card that was refused, or could not be charged; what is still open. */
export type MailKind = 'due' | 'trial' | 'refused' | 'uncharged' | 'reminder'

interface MailWords {
  locale: string
  subjects: Readonly<Record<MailKind, (plan: string) => string>>
  leads: Readonly<Record<MailKind, string>>
  to: string
  plan: string
  amount: string
  due: string
  pay: string
  week: string
  stop: string
}

/** What the e-mails say. */
export const MAIL_WORDS: Readonly<Record<MailLanguage, MailWords>> = {
  pt: {
    locale: 'pt-BR',
    subjects: {
      due: (plan) => `Pagamento da sua assinatura ${plan}`,
      trial: (plan) => `O seu período de teste terminou: assinatura ${plan}`,
      refused: (plan) => `O seu cartão foi recusado: assinatura ${plan}`,
      uncharged: (plan) => `Não foi possível cobrar o seu cartão: assinatura ${plan}`,
      reminder: (plan) => `Lembrete: pagamento da sua assinatura ${plan}`,
    },
    leads: {
      due: 'O próximo pagamento da sua assinatura vence agora.',
      trial: 'O seu período de teste terminou. Para continuar, pague o primeiro período.',
      refused: 'O seu cartão foi recusado. Você pode pagar de outra forma.',
      uncharged: 'Não foi possível cobrar o seu cartão. Você pode pagar de outra forma.',
      reminder: 'O pagamento da sua assinatura ainda está em aberto.',
    },
    to: 'Para',
    plan: 'Assinatura',
    amount: 'Valor',
    due: 'Vencimento',
    pay: 'Pagar',
    week: 'O link vale por uma semana.',
    stop: 'Não receber mais e-mails desta assinatura',
  },
  en: {
    locale: 'en-GB',
    subjects: {
      due: (plan) => `Payment of your subscription ${plan}`,
      trial: (plan) => `Your trial has ended: subscription ${plan}`,
      refused: (plan) => `Your card was refused: subscription ${plan}`,
      uncharged: (plan) => `Your card could not be charged: subscription ${plan}`,
      reminder: (plan) => `Reminder: payment of your subscription ${plan}`,
    },
    leads: {
      due: 'The next payment of your subscription is due.',
      trial: 'Your trial has ended. To go on, pay the first period.',
      refused: 'Your card was refused. You can pay in another way.',
      uncharged: 'Your card could not be charged. You can pay in another way.',
      reminder: 'The payment of your subscription is still open.',
    },
    to: 'To',
    plan: 'Subscription',
    amount: 'Amount',
    due: 'Due on',
    pay: 'Pay',
    week: 'The link is good for a week.',
    stop: 'Get no more e-mails about this subscription',
  },
  es: {
    locale: 'es-419',
    subjects: {
      due: (plan) => `Pago de su suscripción ${plan}`,
      trial: (plan) => `Su período de prueba terminó: suscripción ${plan}`,
      refused: (plan) => `Su tarjeta fue rechazada: suscripción ${plan}`,
      uncharged: (plan) => `No se pudo cobrar su tarjeta: suscripción ${plan}`,
      reminder: (plan) => `Recordatorio: pago de su suscripción ${plan}`,
    },
    leads: {
      due: 'El próximo pago de su suscripción vence ahora.',
      trial: 'Su período de prueba terminó. Para continuar, pague el primer período.',
      refused: 'Su tarjeta fue rechazada. Puede pagar de otra forma.',
      uncharged: 'No se pudo cobrar su tarjeta. Puede pagar de otra forma.',
      reminder: 'El pago de su suscripción sigue pendiente.',
    },
    to: 'Para',
    plan: 'Suscripción',
    amount: 'Importe',
    due: 'Vencimiento',
    pay: 'Pagar',
    week: 'El enlace es válido durante una semana.',
    stop: 'No recibir más correos de esta suscripción',
  },
}

/** Where Spanish is spoken; of most other currencies English is understood. */
const LANGUAGE_OF_CURRENCY: Readonly<Record<string, MailLanguage>> = {
  ...{ BRL: 'pt', ARS: 'es', BOB: 'es', CLP: 'es', COP: 'es', CRC: 'es', DOP: 'es', GTQ: 'es' },
  ...{ HNL: 'es', MXN: 'es', NIO: 'es', PEN: 'es', PYG: 'es', UYU: 'es' },
}

/** The language in which the payer had a receipt; otherwise that of the currency that he pays in. */
export function mailLanguage(ofReceipt: string | undefined, currency: string): MailLanguage {
  if (ofReceipt === 'pt' || ofReceipt === 'en' || ofReceipt === 'es') return ofReceipt
  return LANGUAGE_OF_CURRENCY[currency] ?? 'en'
}
