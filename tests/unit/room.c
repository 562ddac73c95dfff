/* Links all of a room and those below it: where a source calls upwards, this does not build. */
int main(void)
{
	return 0;
}
