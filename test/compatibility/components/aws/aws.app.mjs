export default {
  type: "app",
  app: "aws",
  methods: {
    config(region) {
      const { accessKeyId, secretAccessKey } = this.$auth;
      return { region, credentials: { accessKeyId, secretAccessKey }, maxAttempts: 1 };
    },
  },
};
