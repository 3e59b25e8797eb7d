/** Where OP-stack chains tell what publishing a transaction costs (predeploy GasPriceOracle). */
export const GAS_PRICE_ORACLE = '0x420000000000000000000000000000000000000F'
