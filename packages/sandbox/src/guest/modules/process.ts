export default process;
