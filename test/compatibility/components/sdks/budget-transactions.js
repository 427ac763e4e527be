import * as ynab from "ynab";

export default {
  name: "Budget transactions",
  version: "0.0.1",
  dedupe: "unique",
  props: { timer: "$.interface.timer" },
  async run() {
    const api = new ynab.API("yt");
    const { data } = await api.transactions.getTransactions("last-used", "2026-01-01");
    for (const { id, amount, payee_name: payee } of data.transactions)
      this.$emit({ id, amount: ynab.utils.convertMilliUnitsToCurrencyAmount(amount), payee }, { id });
    const failed = await api.accounts.getAccountById("b", "none").catch((error) => ({ error }));
    this.$emit({ failed: failed.error?.error ?? failed.error?.name }, { id: "failed" });
  },
};
